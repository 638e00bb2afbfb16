// SPDX-License-Identifier: BSD-3-Clause
// What runs on a worker lcore: poll the ports, hand bursts to the Worker, sleep when there is nothing to do.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "dataplane/port.h"
#include "dataplane/rcu.h"
#include "dataplane/worker.h"

namespace gate96 {

/// The longest that a packet waits for a worker that slept.
inline constexpr unsigned kIdleSleepUs = 50;
inline constexpr std::uint64_t kTickMs = 5;

using Ports = std::vector<std::unique_ptr<Port>>;

/// Sends on one queue of each ethdev port.
class EthdevTransmitter : public Transmitter {
 public:
  EthdevTransmitter(const Ports& ports, unsigned worker) : ports_(ports), worker_(worker) {}
  std::uint16_t send(std::uint8_t port, rte_mbuf** frames, std::uint16_t num) override;

 private:
  const Ports& ports_;
  unsigned worker_;
};

class Lcore {
 public:
  Lcore(const Config& config, const Ports& ports, const std::vector<PortInfo>& infos, rte_mempool* pool,
        unsigned worker, Handover* handover, IcvExchange* exchange, Rcu& rcu,
        const std::atomic<const Tables*>& tables, const std::atomic<bool>& stop);

  /// Until `stop`; then what is in hand is finished.
  void run();

  /// Of the tables that the worker uses now. Any thread may ask.
  [[nodiscard]] std::uint32_t generation() const { return generation_.load(std::memory_order_acquire); }

  [[nodiscard]] const Worker& worker() const { return worker_; }
  [[nodiscard]] EventLog& events() { return events_; }

 private:
  [[nodiscard]] const Tables& tables_in_force();
  [[nodiscard]] bool poll(const Tables& tables);  // true if any packet came
  [[nodiscard]] bool poll(const Tables& tables, std::size_t port, std::uint16_t queue);

  const Ports& ports_;
  unsigned index_;
  unsigned num_workers_;
  std::uint16_t burst_;
  bool may_sleep_;
  Rcu& rcu_;
  const std::atomic<const Tables*>& tables_;
  std::atomic<std::uint32_t> generation_{0};
  const std::atomic<bool>& stop_;
  EthdevTransmitter transmitter_;
  EventLog events_;
  Worker worker_;
};

}  // namespace gate96
