// SPDX-License-Identifier: BSD-3-Clause
// A worker whose FPU stage is compiled out: worker.cpp and what hashes for it, compiled a second time under
// other names, with without_fpu/fpu/context.h for a context. The yardstick for what profile `always` costs.
#pragma once

#include <rte_mempool.h>

#include <memory>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/port_info.h"
#include "dataplane/stage_clock.h"
#include "dataplane/tables.h"
#include "dataplane/transmit.h"

namespace gate96::bench {

class PlainWorker {
 public:
  PlainWorker(const Config& config, const std::vector<PortInfo>& ports, rte_mempool* pool,
              Transmitter& transmitter);
  ~PlainWorker();
  PlainWorker(const PlainWorker&) = delete;
  PlainWorker& operator=(const PlainWorker&) = delete;

  /// As of Worker.
  void receive(const Tables& tables, std::uint8_t port, rte_mbuf** frames, std::uint16_t num);
  void stop();
  [[nodiscard]] StageClock& stages();
  [[nodiscard]] const Counters& counters() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gate96::bench
