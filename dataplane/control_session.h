// SPDX-License-Identifier: BSD-3-Clause
// One client of the control socket, from its first byte to the last of its answer. Nothing here waits.
#pragma once

#include <cstdint>
#include <string>

#include "dataplane/control_request.h"

namespace gate96 {

class ControlSession {
 public:
  enum class State { kReading, kAsked, kAnswering, kOver };

  /// Takes over the non-blocking socket `fd`.
  ControlSession(int fd, std::uint64_t now_ms) : fd_(fd), since_ms_(now_ms) {}
  ~ControlSession();
  ControlSession(const ControlSession&) = delete;
  ControlSession& operator=(const ControlSession&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] short awaited() const;  // of poll(2)
  /// Precondition: state() is kAsked.
  [[nodiscard]] const Request& request() const { return *reader_.request(); }
  /// Bytes of the answer that the client has not taken.
  [[nodiscard]] std::size_t num_unsent() const { return answer_.size() - sent_; }

  /// Reads or writes what can be, after poll(2) has said `events`.
  void go_on(short events, std::uint64_t now_ms);
  /// Precondition: state() is kAsked.
  void answer(std::string text, std::uint64_t now_ms);
  /// Gives up a client that keeps us waiting for a whole request since it came, or for room since it last
  /// made some.
  void judge(std::uint64_t now_ms, std::uint64_t patience_ms);

 private:
  void read();
  void write(std::uint64_t now_ms);

  int fd_;
  State state_ = State::kReading;
  RequestReader reader_;
  std::string answer_;
  std::size_t sent_ = 0;
  std::uint64_t since_ms_;
};

/// {"error": why}, as a line.
[[nodiscard]] std::string error_line(const std::string& why);

}  // namespace gate96
