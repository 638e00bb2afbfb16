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
  return rte_eth_tx_burst(to.id(), static_cast<std::uint16_t>(worker_), frames, num);
}

Lcore::Lcore(const Config& config, const Ports& ports, const std::vector<PortInfo>& infos, rte_mempool* pool,
             unsigned worker, Handover* handover, IcvExchange* exchange, Rcu& rcu,
             const std::atomic<const Tables*>& tables, const std::atomic<bool>& stop)
    : ports_(ports),
      index_(worker),
      num_workers_(config.gateway.workers),
      burst_(static_cast<std::uint16_t>(config.gateway.burst)),
      may_sleep_(config.gateway.idle == Idle::kSleep),
      rcu_(rcu),
      tables_(tables),
      stop_(stop),
      transmitter_(ports, worker),
      events_(static_cast<std::uint8_t>(worker)),
      worker_(config, infos, pool, transmitter_,
              {.events = &events_, .index = worker, .handover = handover, .exchange = exchange}) {}

bool Lcore::poll(const Tables& tables, std::size_t port, std::uint16_t queue) {
  rte_mbuf* frames[kMaxPackets];
  worker_.stages().start();
  const std::uint16_t num = rte_eth_rx_burst(ports_[port]->id(), queue, frames, burst_);
  if (num > 0) {
    worker_.stages().lap(Stage::kReceive);
    for (std::uint16_t i = 0; i < num; ++i) info(frames[i]).number = 0;
    worker_.receive(tables, static_cast<std::uint8_t>(port), frames, num);
  }
  worker_.stages().stop(num);
  return num > 0;
}

const Tables& Lcore::tables_in_force() {
  rcu_.quiescent(index_);
  const Tables& tables = *tables_.load(std::memory_order_acquire);
  if (tables.generation != generation_.load(std::memory_order_relaxed)) {
    worker_.enter(tables);
    generation_.store(tables.generation, std::memory_order_release);
  }
  return tables;
}

bool Lcore::poll(const Tables& tables) {
  bool any = false;
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    for (unsigned queue = index_; queue < ports_[port]->num_queues(); queue += num_workers_) {
      any |= poll(tables, port, static_cast<std::uint16_t>(queue));
    }
  }
  const bool handed = worker_.take_over(tables);
  const bool drained = worker_.drain(tables);
  return any || handed || drained;
}

void Lcore::run() {
  prctl(PR_SET_TIMERSLACK, 1UL);  // sleeps of microseconds, not of the default 50 us more
  rcu_.enter(index_);
  std::uint64_t next_tick = 0;
  unsigned empty = 0;
  static_cast<void>(tables_in_force());  // worker_.stop() needs tables, however early it comes
  while (!stop_.load(std::memory_order_relaxed)) {
    const Tables& tables = tables_in_force();
    empty = poll(tables) ? 0 : empty + 1;
    const std::uint64_t now = now_ms();
    if (now >= next_tick) {
      worker_.tick(tables, now);
      next_tick = now + kTickMs;
    }
    if (empty <= kPollsBeforeSleep) continue;
    if (may_sleep_) {
      rcu_.offline(index_);
      sleep_briefly();
      rcu_.online(index_);
    } else {
      rte_pause();
    }
  }
  worker_.stop();
  rcu_.leave(index_);
}

}  // namespace gate96
