// SPDX-License-Identifier: BSD-3-Clause
// DPDK's environment: started once a process, taken down and swept up at its end.
#pragma once

#include <rte_mbuf.h>

#include <memory>
#include <string>
#include <string_view>

#include "dataplane/config.h"
#include "dataplane/lock_file.h"

namespace gate96 {

/// Collects what DPDK logs while something is tried, to explain a failure with.
class EalLog {
 public:
  EalLog();
  ~EalLog();  // later messages go to stderr
  EalLog(const EalLog&) = delete;
  EalLog& operator=(const EalLog&) = delete;

  /// The last lines logged so far, joined by "; ".
  [[nodiscard]] std::string text() const;

 private:
  char* buffer_ = nullptr;
  std::size_t len_ = 0;
  FILE* stream_ = nullptr;
};

class Eal {
 public:
  /// Main lcore 0 and one lcore a worker. Workers that sleep when idle may run on any CPU; those that poll
  /// are pinned to CPUs of their own as far as there are any. Throws std::runtime_error with cause and
  /// remedy, also if another process has this gateway.name.
  explicit Eal(const Config& config);
  ~Eal();
  Eal(const Eal&) = delete;
  Eal& operator=(const Eal&) = delete;

 private:
  std::string runtime_dir_;
  std::unique_ptr<LockFile> lock_;  // on the name, which is DPDK's file prefix
};

/// Gives the configuration an environment for running packets without ports: default memory, no lcore but the
/// main one, no telemetry, and a name of this process's own that begins with `purpose`.
void make_offline(Config& config, std::string_view purpose);

/// Packet buffers that hold any frame of a port with this MTU, with room before and behind for ESP. Throws
/// std::runtime_error.
[[nodiscard]] rte_mempool* make_packet_pool(const Config& config);

}  // namespace gate96
