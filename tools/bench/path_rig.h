// SPDX-License-Identifier: BSD-3-Clause
// The gateway's packet path on a bench: a capture that never ends (net_pcap, infinite_rx) on one port,
// net_null on the other, one Worker between them.
#pragma once

#include <rte_mempool.h>
#include <rte_ring.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/eal.h"
#include "dataplane/port.h"
#include "dataplane/tables.h"
#include "dataplane/worker.h"
#include "tools/bench/plain_worker.h"
#include "tools/bench/row.h"

namespace gate96::bench {

enum class PathCase : std::uint8_t { kBypass, kProtect, kVerify, kVerifyFresh };

/// "bypass", "protect", "verify" (window 0, since the capture's numbers repeat), "verify-fresh".
[[nodiscard]] std::string name(PathCase which);

/// One arrangement to measure.
struct PathLoad {
  PathCase which = PathCase::kBypass;
  Size size;
  std::size_t sas = 1;
  std::uint16_t burst = static_cast<std::uint16_t>(GatewayConfig{}.burst);  // packets a receive call
  unsigned workers = 1;  // each with receive queues, and with SAs, of its own
};

/// TSC cycles per packet, by Stage.
using StageCycles = std::array<double, kStageNames.size()>;

using Frames = std::vector<std::vector<std::uint8_t>>;

/// The gateway that is measured, with `sas` SAs, each with a policy and a far host of its own; and its peer.
[[nodiscard]] Config path_config(PathCase which, std::size_t sas);
[[nodiscard]] Config sealer_config(std::size_t sas);

/// `num` clear frames, the SAs in turn; for the verify cases those that the peer seals. IMIX in a fixed
/// random order.
[[nodiscard]] Frames clear_frames(PathCase which, Size size, std::size_t sas, std::size_t num);

/// DPDK's environment and the buffers, once a process.
class PathEnvironment {
 public:
  PathEnvironment();
  [[nodiscard]] rte_mempool* pool() const { return pool_; }

 private:
  std::unique_ptr<Eal> eal_;
  rte_mempool* pool_;
};

/// Seals the frames as the peer would: what the verify cases receive.
class Sealer : public Transmitter {
 public:
  Sealer(rte_mempool* pool, std::size_t sas);
  /// `frames`: at most kMaxPackets clear ones.
  [[nodiscard]] Frames seal(const Frames& frames);
  std::uint16_t send(std::uint8_t port, rte_mbuf** frames, std::uint16_t num) override;

 private:
  rte_mempool* pool_;
  Config config_;
  std::vector<PortInfo> infos_;
  Tables tables_;
  Worker worker_;
  Frames sealed_;
};

/// One measured arrangement.
class PathRig {
 public:
  PathRig(rte_mempool* pool, const PathLoad& load);
  ~PathRig();

  /// Receives and processes `iterations` bursts. A thread for each worker.
  void run(std::size_t iterations, unsigned worker = 0);
  /// The same by a worker of its own whose FPU stage is compiled out. One thread.
  void run_without_fpu(std::size_t iterations);
  /// Receives and sends them on, and does nothing else: what the ports cost.
  void run_io(std::size_t iterations);
  /// kVerifyFresh, before each run: frames with numbers not seen yet for `bursts` bursts.
  void refill(std::size_t bursts);

  /// Medians of rounds in which every burst is timed stage by stage, reading the clock included.
  [[nodiscard]] StageCycles stage_cycles();

  /// Since the start. A measurement of drops is none.
  [[nodiscard]] std::uint64_t num_dropped() const;

  [[nodiscard]] const PathLoad& load() const { return load_; }
  [[nodiscard]] Worker& worker(unsigned index = 0) { return *workers_[index]; }

 private:
  [[nodiscard]] std::string make_capture(unsigned queue);
  std::uint16_t receive(rte_mbuf** frames, unsigned queue);
  template <class AnyWorker>
  void run_on(AnyWorker& worker, std::size_t iterations, unsigned queue);

  rte_mempool* pool_;
  PathLoad load_;
  unsigned serial_;
  Config config_;
  Frames clear_;
  std::size_t next_clear_ = 0;
  std::vector<std::string> captures_;  // one a queue
  std::vector<std::unique_ptr<Port>> ports_;
  std::vector<PortInfo> infos_;
  std::unique_ptr<Tables> tables_;
  std::unique_ptr<Handover> handover_;
  std::vector<std::unique_ptr<Transmitter>> transmitters_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<PlainWorker> plain_;
  std::unique_ptr<Sealer> sealer_;
  rte_ring* fresh_ = nullptr;
};

}  // namespace gate96::bench
