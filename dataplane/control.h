// SPDX-License-Identifier: BSD-3-Clause
// The main thread's loop while the gateway runs: clients of the control socket, housekeeping, signals.
#pragma once

#include <string>

#include "dataplane/control_socket.h"
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
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Answers clients, lets the gateway keep house, and reloads on SIGHUP, until another signal comes.
  void serve(const Signals& signals);

 private:
  [[nodiscard]] std::string answer(const Request& request);
  [[nodiscard]] std::string reload(const std::string& file);

  Gateway& gateway_;
  ControlSocket socket_;  // its answers come from this object, which stays where it is
};

}  // namespace gate96
