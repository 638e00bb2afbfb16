// SPDX-License-Identifier: BSD-3-Clause
// The control socket: a Unix stream socket of mode 0600. A client sends one line (control_request.h) and gets
// one JSON document, then end of file. Many are served at once by one thread, which waits for none of them: a
// client that sends nothing, never ends or does not read its answer costs a place until it is given up.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/control_session.h"

namespace gate96 {

class ControlSocket {
 public:
  struct Limits {
    std::size_t sessions = 256;
    std::size_t unsent = std::size_t{16} << 20;  // bytes of answers; more are made when they have gone
    std::uint64_t patience_ms = 10'000;          // a client of a busy machine may stall for seconds
    std::uint64_t crowded_patience_ms = 1000;    // when others have to wait
  };
  using Answer = std::function<std::string(const Request&)>;

  /// Listens from here on; `answer` is asked for one JSON document per request. Throws std::runtime_error if
  /// the socket cannot be made.
  ControlSocket(std::string path, Answer answer, Limits limits);
  ControlSocket(std::string path, Answer answer) : ControlSocket(std::move(path), std::move(answer), {}) {}
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  /// Serves clients once, with at most one answer made, after waiting up to `timeout_ms` for them or for
  /// `other_fd` (-1: none); true if that is readable. Throws std::runtime_error if poll(2) fails.
  bool serve(int other_fd, int timeout_ms);

  [[nodiscard]] std::size_t num_sessions() const { return sessions_.size(); }

 private:
  [[nodiscard]] bool is_full() const { return sessions_.size() >= limits_.sessions; }
  [[nodiscard]] std::size_t num_unsent() const;
  [[nodiscard]] ControlSession* next_to_answer() const;
  [[nodiscard]] std::string answer_to(const Request& request) const;
  void accept_all(std::uint64_t now_ms);

  std::string path_;
  Answer answer_;
  Limits limits_;
  int fd_;
  std::uint64_t accept_again_ms_ = 0;
  std::vector<std::unique_ptr<ControlSession>> sessions_;  // the one that came first is in front
};

}  // namespace gate96
