// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/worker_rings.h"

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_ring_elem.h>

#include <atomic>
#include <stdexcept>

namespace gate96 {
namespace {

rte_ring* make_ring(const char* kind, unsigned element_size, unsigned num) {
  static std::atomic<unsigned> serial{0};
  const std::string name = fmt::format("{}{}", kind, serial.fetch_add(1));
  rte_ring* ring =
      rte_ring_create_elem(name.c_str(), element_size, num, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
  if (ring == nullptr) {
    throw std::runtime_error(
        fmt::format("rings between workers: {}; raise eal.memory_mb", rte_strerror(rte_errno)));
  }
  return ring;
}

}  // namespace

WorkerRings::WorkerRings(const char* kind, unsigned num_workers, unsigned element_size, unsigned num)
    : num_workers_(num_workers) {
  for (unsigned from = 0; from < num_workers; ++from) {
    for (unsigned to = 0; to < num_workers; ++to) {
      rings_.emplace_back(from == to ? nullptr : make_ring(kind, element_size, num));
    }
  }
}

}  // namespace gate96
