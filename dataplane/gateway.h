// SPDX-License-Identifier: BSD-3-Clause
// `gate96 run`: everything brought up in order, and taken down in the reverse.
#pragma once

#include <rte_mempool.h>

#include <atomic>
#include <memory>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/eal.h"
#include "dataplane/event_journal.h"
#include "dataplane/handover.h"
#include "dataplane/lcore.h"
#include "dataplane/port.h"
#include "dataplane/rcu.h"
#include "dataplane/state_keeper.h"
#include "dataplane/tables.h"

namespace gate96 {

class Gateway {
 public:
  /// State file, DPDK, buffers, ports, tables. Throws std::runtime_error: what did not come up, why, and what
  /// to do.
  explicit Gateway(const Config& config, MissingState missing = MissingState::kRefuse);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  void start_workers();
  /// Finishes the packets in hand, waits for the lcores, and saves the SAs' exact state.
  void stop_workers();
  /// What the main thread does now and then: collects events.
  void housekeep();

  struct Reloaded {
    int exit_code = 0;                  // what `gate96 reload` ends with
    std::vector<std::string> messages;  // errors, or warnings
    std::size_t num_kept = 0;           // SAs that go on
  };
  /// Puts the SAs, policies and routes of `file` (empty: the file in force) into the place of those in force,
  /// all of them or none. Returns when no worker uses the old ones any more.
  [[nodiscard]] Reloaded reload(const std::string& file);

  // For status.cpp.
  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] const Ports& ports() const { return ports_; }
  [[nodiscard]] const Tables& tables() const { return *tables_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Lcore>>& lcores() const { return lcores_; }
  [[nodiscard]] const EventJournal& events() const { return events_; }

 private:
  void put_in_force(std::unique_ptr<const Tables> tables);

  Config config_;
  EventLog main_events_;
  std::unique_ptr<StateKeeper> state_;  // null: no gateway.state_file
  Eal eal_;
  rte_mempool* pool_;
  Ports ports_;
  std::vector<PortInfo> infos_;
  std::unique_ptr<const Tables> tables_;
  std::atomic<const Tables*> in_force_{nullptr};
  std::atomic<bool> stop_{false};
  Rcu rcu_;
  std::unique_ptr<Handover> handover_;     // null: one worker
  std::unique_ptr<IcvExchange> exchange_;  // null: each worker hashes its own deferred packets
  std::vector<std::unique_ptr<Lcore>> lcores_;
  EventJournal events_;
};

struct RunOptions {
  bool quiet = false;  // no line on standard output when ready
  MissingState missing = MissingState::kRefuse;
};

/// Runs until SIGTERM or SIGINT. Returns the process's exit code.
[[nodiscard]] int run_gateway(const Config& config, const RunOptions& options);

}  // namespace gate96
