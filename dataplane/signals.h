// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace gate96 {

/// SIGTERM, SIGINT and SIGHUP as something to poll for. While it lives they are blocked, in threads made
/// later too.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// The signal that has come; 0: none.
  [[nodiscard]] int take() const;

  /// Readable when a signal has come.
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace gate96
