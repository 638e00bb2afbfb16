// SPDX-License-Identifier: BSD-3-Clause
// The gateway's packet path in process, under a given FPU policy: generated packets in, a transmitter that
// only takes time. Outbound: UDP from a LAN becomes ESP of several SAs.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/eal.h"
#include "dataplane/port_info.h"
#include "dataplane/tables.h"
#include "fpu/counters.h"
#include "fpu/settings.h"

namespace gate96::bench {

struct Traffic {
  std::size_t size = 1420;  // bytes of the IP packet before ESP
  unsigned burst = 32;      // packets a receive call, at most
  double rate = 0;          // packets a second, open loop; 0: as fast as they are taken
  double seconds = 0.05;
  std::size_t train = 0;  // > 0: so many packets at once, then silence until all are out; rate is not used
};

/// What came of it.
struct Run {
  double seconds = 0;
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  std::uint64_t missed = 0;                   // the receive ring was full (open loop)
  std::uint64_t dropped = 0;                  // by the packet path
  double p50_us = 0, p99_us = 0, max_us = 0;  // from arrival to transmit
  double simd_share = 0;                      // of the bytes hashed
  std::uint64_t asks = 0, grants = 0, saves = 0, restores = 0, reordered = 0, deferred = 0, overflow = 0;
  std::uint64_t waited = 0, queue_high = 0, max_section_ns = 0, foreign_sections = 0, violations = 0;
  bool preempted = false;             // the kernel took the core away in between
  double state_ticks_per_packet = 0;  // TSC ticks in SAVE and RESTORE

  [[nodiscard]] double mpps() const { return static_cast<double>(sent) / seconds / 1e6; }
  [[nodiscard]] double grant_share() const {
    return asks == 0 ? 1 : static_cast<double>(grants) / static_cast<double>(asks);
  }
};

class FpuPath {
 public:
  /// Starts DPDK's environment, without devices; one in a process. Throws std::runtime_error.
  FpuPath();
  ~FpuPath();
  FpuPath(const FpuPath&) = delete;
  FpuPath& operator=(const FpuPath&) = delete;

  /// With a worker of its own. Precondition: fpu::check(fpu) is empty.
  [[nodiscard]] Run run(const fpu::FpuConfig& fpu, const Traffic& traffic);

 private:
  Config config_;
  std::unique_ptr<Eal> eal_;
  rte_mempool* pool_;
  std::vector<PortInfo> infos_;
};

}  // namespace gate96::bench
