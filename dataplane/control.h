// SPDX-License-Identifier: BSD-3-Clause
// The control socket: a Unix stream socket of mode 0600. A client sends one line, "counters", "ports",
// "sa", "events" or "reload [FILE]", and gets one JSON document, then end of file.
#pragma once

#include <string>

#include "dataplane/lock_file.h"
#include "dataplane/signals.h"

namespace gate96 {

class Gateway;

/// The right to be the gateway of this socket path. Throws std::runtime_error if another process has it.
class Instance {
 public:
  explicit Instance(const std::string& socket_path);

  [[nodiscard]] const std::string& socket_path() const { return socket_path_; }

 private:
  std::string socket_path_;
  LockFile lock_;
};

class ControlServer {
 public:
  /// Listens from here on. Throws std::runtime_error if the socket cannot be made.
  ControlServer(const Instance& instance, Gateway& gateway);
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Answers clients, lets the gateway keep house, and reloads on SIGHUP, until another signal comes.
  void serve(const Signals& signals);

 private:
  void answer(int client);
  [[nodiscard]] std::string reload(const std::string& file);

  Gateway& gateway_;
  std::string path_;
  int fd_;
};

}  // namespace gate96
