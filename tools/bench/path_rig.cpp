// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/path_rig.h"

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_ring.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "dataplane/capture.h"
#include "dataplane/lcore.h"
#include "dataplane/mbuf_ops.h"

namespace gate96::bench {
namespace {

constexpr std::uint32_t kNumBuffers = (1u << 17) - 1;  // a capture of 100,000 frames stays in buffers
constexpr std::uint16_t kDataRoom = 2048 + RTE_PKTMBUF_HEADROOM;
constexpr unsigned kFreshRing = 1u << 13;
constexpr std::size_t kMinFrames = 12 * 32;  // whole dozens for IMIX, and each SA of 32 with every length

constexpr std::size_t kSealed = 32;  // in a burst of the sealing worker
constexpr std::size_t kStageRounds = 41;
constexpr std::size_t kStageBursts = 64;  // in a round

double total(const StageClock& stages, std::size_t stage) {
  return static_cast<double>(stages.cycles(static_cast<Stage>(stage)));
}

std::uint16_t receiving_port(PathCase which) {
  return which == PathCase::kVerify || which == PathCase::kVerifyFresh ? 1 : 0;
}

rte_mbuf* packet_of(rte_mempool* pool, const std::vector<std::uint8_t>& bytes) {
  rte_mbuf* m = rte_pktmbuf_alloc(pool);
  if (m == nullptr) throw std::runtime_error("out of packet buffers");
  std::memcpy(rte_pktmbuf_append(m, static_cast<std::uint16_t>(bytes.size())), bytes.data(), bytes.size());
  info(m).number = 0;
  return m;
}

/// The frames sealed, in bursts that the worker takes at once.
Frames sealed_frames(Sealer& sealer, const Frames& clear) {
  Frames all;
  for (std::size_t i = 0; i < clear.size(); i += kSealed) {
    const Frames part(clear.begin() + static_cast<long>(i),
                      clear.begin() + static_cast<long>(std::min(clear.size(), i + kSealed)));
    for (auto& frame : sealer.seal(part)) all.push_back(std::move(frame));
  }
  return all;
}

void write_capture(const std::string& path, const Frames& frames) {
  CaptureWriter writer(path);
  for (const auto& frame : frames) writer.write({{}, frame});
}

}  // namespace

PathEnvironment::PathEnvironment() {
  Config config;
  make_offline(config, "bench");
  config.eal.memory_mb = 3072;
  eal_ = std::make_unique<Eal>(config);
  pool_ = rte_pktmbuf_pool_create("bench", kNumBuffers, 256, kPacketInfoSize, kDataRoom, SOCKET_ID_ANY);
  if (pool_ == nullptr) throw std::runtime_error(fmt::format("packet buffers: {}", rte_strerror(rte_errno)));
}

Sealer::Sealer(rte_mempool* pool, std::size_t sas)
    : pool_(pool),
      config_(sealer_config(sas)),
      infos_(make_port_infos(config_)),
      tables_(config_, infos_),
      worker_(config_, infos_, pool, *this, {}) {}

Frames Sealer::seal(const Frames& frames) {
  sealed_.clear();
  std::vector<rte_mbuf*> packets;
  for (const auto& frame : frames) packets.push_back(packet_of(pool_, frame));
  worker_.receive(tables_, 0, packets.data(), static_cast<std::uint16_t>(packets.size()));
  if (sealed_.size() != frames.size()) throw std::runtime_error("the sealing worker dropped packets");
  return std::move(sealed_);
}

std::uint16_t Sealer::send(std::uint8_t, rte_mbuf** frames, std::uint16_t num) {
  for (std::uint16_t i = 0; i < num; ++i) {
    sealed_.emplace_back(frames[i]->pkt_len);
    copy_out(frames[i], 0, frames[i]->pkt_len, sealed_.back().data());
    std::fill_n(sealed_.back().begin(), 6, std::uint8_t{0xff});
    rte_pktmbuf_free(frames[i]);
  }
  return num;
}

PathRig::PathRig(rte_mempool* pool, const PathLoad& load)
    : pool_(pool),
      load_(load),
      config_(path_config(load.which, load.sas)),
      clear_(clear_frames(load.which, load.size, load.sas,
                          std::max(kMinFrames * load.workers, (load.sas + 11) / 12 * 12))) {
  static unsigned serial = 0;
  serial_ = ++serial;
  const std::uint16_t in = receiving_port(load.which);
  if (in == 1) sealer_ = std::make_unique<Sealer>(pool, load.sas);
  config_.ports[0].device = fmt::format("net_null{},copy=0", 2 * serial);
  config_.ports[1].device = fmt::format("net_null{},copy=0", 2 * serial + 1);
  if (load.which == PathCase::kVerifyFresh) {
    fresh_ = rte_ring_create(fmt::format("fresh{}", serial).c_str(), kFreshRing, SOCKET_ID_ANY,
                             RING_F_SP_ENQ | RING_F_SC_DEQ);
    if (fresh_ == nullptr) throw std::runtime_error("no memory for a ring");
  } else {
    std::string device = fmt::format("net_pcap{},infinite_rx=1", serial);
    for (unsigned queue = 0; queue < load.workers; ++queue) device += ",rx_pcap=" + make_capture(queue);
    config_.ports[in].device = device;
  }
  for (unsigned i = 0; i < 2; ++i) {
    ports_.push_back(std::make_unique<Port>(config_, i, load.workers, pool));
    infos_.push_back(ports_.back()->info());
  }
  tables_ = std::make_unique<Tables>(config_, infos_);
  if (load.workers > 1) handover_ = std::make_unique<Handover>(load.workers);
  for (unsigned i = 0; i < load.workers; ++i) {
    transmitters_.push_back(std::make_unique<EthdevTransmitter>(ports_, i));
    workers_.push_back(std::make_unique<Worker>(config_, infos_, pool, *transmitters_.back(),
                                                Worker::Options{.index = i, .handover = handover_.get()}));
  }
  if (load.workers == 1) plain_ = std::make_unique<PlainWorker>(config_, infos_, pool, *transmitters_[0]);
}

/// SAs take turns in the frames, as their owners do in the SAs.
std::string PathRig::make_capture(unsigned queue) {
  Frames mine;
  for (std::size_t i = queue; i < clear_.size(); i += load_.workers) mine.push_back(clear_[i]);
  captures_.push_back(fmt::format("{}/gate96-bench-{}-{}-{}.pcap",
                                  std::filesystem::temp_directory_path().string(), getpid(), serial_, queue));
  write_capture(captures_.back(), sealer_ ? sealed_frames(*sealer_, mine) : mine);
  return captures_.back();
}

PathRig::~PathRig() {
  for (const auto& worker : workers_) worker->stop();
  if (plain_) plain_->stop();
  if (fresh_ != nullptr) {
    void* m = nullptr;
    while (rte_ring_sc_dequeue(fresh_, &m) == 0) rte_pktmbuf_free(static_cast<rte_mbuf*>(m));
    rte_ring_free(fresh_);
  }
  for (const std::string& capture : captures_) std::filesystem::remove(capture);
}

std::uint16_t PathRig::receive(rte_mbuf** frames, unsigned queue) {
  const std::uint16_t num = fresh_ != nullptr
                                ? static_cast<std::uint16_t>(rte_ring_sc_dequeue_burst(
                                      fresh_, reinterpret_cast<void**>(frames), load_.burst, nullptr))
                                : rte_eth_rx_burst(ports_[receiving_port(load_.which)]->id(),
                                                   static_cast<std::uint16_t>(queue), frames, load_.burst);
  for (std::uint16_t i = 0; i < num; ++i) info(frames[i]).number = 0;
  return num;
}

template <class AnyWorker>
void PathRig::run_on(AnyWorker& worker, std::size_t iterations, unsigned queue) {
  rte_mbuf* frames[kMaxPackets];
  const auto port = static_cast<std::uint8_t>(receiving_port(load_.which));
  StageClock& stages = worker.stages();
  for (std::size_t i = 0; i < iterations; ++i) {
    stages.start();
    const std::uint16_t num = receive(frames, queue);
    stages.lap(Stage::kReceive);
    worker.receive(*tables_, port, frames, num);
    stages.stop(num);
  }
}

void PathRig::run(std::size_t iterations, unsigned worker) {
  run_on(*workers_[worker], iterations, worker);
}

void PathRig::run_without_fpu(std::size_t iterations) {
  run_on(*plain_, iterations, 0);
}

StageCycles PathRig::stage_cycles() {
  StageClock& stages = workers_[0]->stages();
  std::array<std::vector<double>, kStageNames.size()> rounds;
  stages.time_one_in(1);
  for (std::size_t round = 0; round < kStageRounds; ++round) {
    refill(kStageBursts);
    StageCycles before;
    for (std::size_t i = 0; i < before.size(); ++i) before[i] = total(stages, i);
    const std::uint64_t packets_before = stages.packets();
    run(kStageBursts);
    const auto packets = static_cast<double>(stages.packets() - packets_before);
    for (std::size_t i = 0; i < before.size(); ++i) {
      rounds[i].push_back((total(stages, i) - before[i]) / packets);
    }
  }
  stages.time_one_in(StageClock::kEvery);
  StageCycles medians;
  for (std::size_t i = 0; i < medians.size(); ++i) medians[i] = summarise(rounds[i]).median;
  return medians;
}

void PathRig::run_io(std::size_t iterations) {
  rte_mbuf* frames[kMaxPackets];
  const std::uint16_t to = ports_[1 - receiving_port(load_.which)]->id();
  for (std::size_t i = 0; i < iterations; ++i) rte_eth_tx_burst(to, 0, frames, receive(frames, 0));
}

void PathRig::refill(std::size_t bursts) {
  if (fresh_ == nullptr) return;
  for (std::size_t i = 0; i < bursts; ++i) {
    Frames part;
    for (std::size_t k = 0; k < load_.burst; ++k) part.push_back(clear_[next_clear_++ % clear_.size()]);
    for (const auto& frame : sealer_->seal(part)) {
      rte_mbuf* m = packet_of(pool_, frame);
      if (rte_ring_sp_enqueue(fresh_, m) != 0) rte_pktmbuf_free(m);
    }
  }
}

std::uint64_t PathRig::num_dropped() const {
  std::uint64_t sum = 0;
  const auto add = [&sum](const Counters& counters) {
    for (std::size_t i = kFirstDrop; i < kNumVerdicts; ++i) sum += counters.ended[i].get();
  };
  for (const auto& worker : workers_) add(worker->counters());
  if (plain_) add(plain_->counters());
  return sum;
}

}  // namespace gate96::bench
