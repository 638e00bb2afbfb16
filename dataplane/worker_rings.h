// SPDX-License-Identifier: BSD-3-Clause
// A ring for each pair of workers, from one to the other: one producer, one consumer. Workers that share a
// core never wait for each other, as producers of one ring would when one of them is preempted amid its
// enqueue.
#pragma once

#include <rte_ring.h>

#include <memory>
#include <vector>

namespace gate96 {

class WorkerRings {
 public:
  /// `kind` begins the rings' names. Elements of `element_size` bytes, a multiple of 4; `num`, a power of
  /// two, is one more than a ring holds. Throws std::runtime_error if there is no memory for the rings.
  WorkerRings(const char* kind, unsigned num_workers, unsigned element_size, unsigned num);

  [[nodiscard]] unsigned num_workers() const { return num_workers_; }

  /// Precondition: from != to.
  [[nodiscard]] rte_ring& between(unsigned from, unsigned to) const {
    return *rings_[from * num_workers_ + to];
  }

 private:
  struct FreeRing {
    void operator()(rte_ring* ring) const { rte_ring_free(ring); }
  };

  unsigned num_workers_;
  std::vector<std::unique_ptr<rte_ring, FreeRing>> rings_;  // [from * num_workers_ + to]; null: to itself
};

}  // namespace gate96
