// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/lcore.h"

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_pause.h>
#include <sys/prctl.h>
#include <time.h>

namespace gate96 {
namespace {

constexpr unsigned kPollsBeforeSleep = 32;

std::uint64_t now_ms() {
  static const std::uint64_t cycles_per_ms = rte_get_tsc_hz() / 1000;
  return rte_rdtsc() / cycles_per_ms;
}

void sleep_briefly() {
  constexpr timespec kSleep = {0, kIdleSleepUs * 1000L};
  nanosleep(&kSleep, nullptr);
}

}  // namespace

std::uint16_t EthdevTransmitter::send(std::uint8_t port, rte_mbuf** frames, std::uint16_t num) {
  const Port& to = *ports_[port];
  const auto queue = static_cast<std::uint16_t>(worker_ % to.num_queues());
  return rte_eth_tx_burst(to.id(), queue, frames, num);
}

Lcore::Lcore(const Config& config, const Ports& ports, const std::vector<PortInfo>& infos, rte_mempool* pool,
             unsigned worker, const std::atomic<const Tables*>& tables, const std::atomic<bool>& stop)
    : ports_(ports),
      index_(worker),
      burst_(static_cast<std::uint16_t>(config.gateway.burst)),
      may_sleep_(config.gateway.idle == Idle::kSleep),
      tables_(tables),
      stop_(stop),
      transmitter_(ports, worker),
      events_(static_cast<std::uint8_t>(worker)),
      worker_(config, infos, pool, transmitter_, {.events = &events_, .number = worker}) {}

bool Lcore::poll() {
  rte_mbuf* frames[kMaxPackets];
  bool any = false;
  const Tables& tables = *tables_.load(std::memory_order_acquire);
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    const std::uint16_t num =
        rte_eth_rx_burst(ports_[port]->id(), static_cast<std::uint16_t>(index_), frames, burst_);
    if (num == 0) continue;
    any = true;
    for (std::uint16_t i = 0; i < num; ++i) info(frames[i]).number = 0;
    worker_.receive(tables, static_cast<std::uint8_t>(port), frames, num);
  }
  return worker_.drain(tables) || any;
}

void Lcore::run() {
  prctl(PR_SET_TIMERSLACK, 1UL);  // sleeps of microseconds, not of the default 50 us more
  std::uint64_t next_tick = 0;
  unsigned empty = 0;
  while (!stop_.load(std::memory_order_relaxed)) {
    empty = poll() ? 0 : empty + 1;
    const std::uint64_t now = now_ms();
    if (now >= next_tick) {
      worker_.tick(*tables_.load(std::memory_order_acquire), now);
      next_tick = now + kTickMs;
    }
    if (empty <= kPollsBeforeSleep) continue;
    may_sleep_ ? sleep_briefly() : rte_pause();
  }
  worker_.stop();
}

}  // namespace gate96
