// SPDX-License-Identifier: BSD-3-Clause
// Keeps sequence numbers from being used or accepted twice across restarts, kill -9 and power failures
// (RFC 4303 3.3.3, 3.4.3; static keys make a restart at 1 a reuse).
//
// For each outbound SA the file says a number that is well ahead of the last one sent, for each inbound SA
// with a window one ahead of the highest accepted. A worker sends and accepts only up to what the file is
// known to say (Sa::seq_limit), and a thread of its own moves the limits before they are reached; the packet
// path never waits for the disk. After a crash an SA goes on above that number: outbound the rest of the
// block is skipped; inbound all up to it is refused, since which of them were accepted is not known. So a
// peer that goes on sending is not heard until it has passed the number: a few seconds of its own rate, and
// never fewer than kInboundAhead packets. After a clean stop both go on exactly where they were, bitmap
// included.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/events.h"
#include "dataplane/lock_file.h"
#include "dataplane/state_file.h"

namespace gate96 {

inline constexpr std::uint64_t kOutboundAhead = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kInboundAhead = 256;

/// What to do without a usable state file.
enum class MissingState { kRefuse, kAcceptReuse };

class StateKeeper {
 public:
  /// Locks and reads the file. Throws std::runtime_error if another process has it, or if it is missing or
  /// damaged and that is to be refused. `log` gets what goes wrong later.
  StateKeeper(std::string path, MissingState missing, EventLog& log);
  /// Leaves the file as a crash would, unless finish() came before.
  ~StateKeeper();
  StateKeeper(const StateKeeper&) = delete;
  StateKeeper& operator=(const StateKeeper&) = delete;

  /// Lets these SAs, and no others, go on from where the file says; once it returns they may be used. One
  /// that is known from an earlier call is left as it is, and one that takes its place (Sa::succeed) stands
  /// under the same limit. Throws std::runtime_error if the file cannot be written.
  void adopt(const std::vector<std::shared_ptr<Sa>>& sas);

  /// Runs step() in a thread every few milliseconds.
  void start();

  /// Moves limits that are nearly reached. False if the file could not be written; the limits stay.
  bool step(std::uint64_t now_ms);

  /// Saves exact numbers and windows. Precondition: no worker uses the SAs any more.
  void finish();

 private:
  struct Kept {
    std::shared_ptr<Sa> sa;
    std::string identity;
    bool inbound;
    std::uint64_t ahead;
    std::uint64_t moved_ms;
  };

  [[nodiscard]] Kept resume(const std::shared_ptr<Sa>& sa) const;
  [[nodiscard]] bool plan(Kept& kept, std::uint64_t now_ms);
  void publish();
  void stop_thread();

  std::string path_;
  LockFile lock_;  // released when all else is over
  EventLog& log_;
  std::mutex mutex_;  // adopt() and step() may come from two threads
  State state_;       // as it will be saved next
  std::vector<Kept> kept_;
  std::string trouble_;  // why the last save failed
  std::uint64_t retry_ms_ = 0;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

/// gateway.state_file; a relative path starts at the folder of the configuration file.
[[nodiscard]] std::string state_path(const Config& config);

/// `gate96 state init`: writes a state that knows no SA, so that all begin at their seq_start. Empty, or why
/// not: one that is there already stays.
[[nodiscard]] std::string init_state(const std::string& path);

}  // namespace gate96
