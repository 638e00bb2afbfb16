// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/control_socket.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace gate96 {
namespace {

constexpr int kBacklog = 256;
constexpr std::uint64_t kAcceptPauseMs = 100;  // when descriptors have run out

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw std::runtime_error(fmt::format("control socket {}: {}", path, why));
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    fail(path, fmt::format("the path is over {} bytes; set a shorter gateway.control",
                           sizeof address.sun_path - 1));
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  return address;
}

/// What one that was killed has left: the instance lock says that none lives. Nothing but a socket is
/// removed.
void remove_old(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) return;
  if (!S_ISSOCK(info.st_mode))
    fail(path, "there is something else than a socket; set another gateway.control");
  unlink(path.c_str());
}

std::uint64_t monotonic_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace

ControlSocket::ControlSocket(std::string path, Answer answer, Limits limits)
    : path_(std::move(path)), answer_(std::move(answer)), limits_(limits) {
  const sockaddr_un address = address_of(path_);
  remove_old(path_);
  fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd_ < 0) fail(path_, std::strerror(errno));
  const mode_t before = umask(0177);
  const bool bound = bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  umask(before);
  if (!bound || listen(fd_, kBacklog) != 0) {
    const int error = errno;
    close(fd_);
    fail(path_, std::strerror(error));
  }
}

ControlSocket::~ControlSocket() {
  close(fd_);
  unlink(path_.c_str());
}

bool ControlSocket::serve(int other_fd, int timeout_ms) {
  const bool accepts = !is_full() && monotonic_ms() >= accept_again_ms_;
  std::vector<pollfd> fds{{other_fd, POLLIN, 0}, {accepts ? fd_ : -1, POLLIN, 0}};
  for (const auto& session : sessions_) fds.push_back({session->fd(), session->awaited(), 0});
  if (poll(fds.data(), fds.size(), next_to_answer() != nullptr ? 0 : timeout_ms) < 0) {
    if (errno == EINTR) return false;
    throw std::runtime_error(fmt::format("poll: {}", std::strerror(errno)));
  }
  std::uint64_t now_ms = monotonic_ms();
  for (std::size_t i = 0; i < sessions_.size(); ++i) sessions_[i]->go_on(fds[i + 2].revents, now_ms);
  if (ControlSession* const session = next_to_answer()) {
    std::string text = answer_to(session->request());
    now_ms = monotonic_ms();  // a reload takes its time
    session->answer(std::move(text), now_ms);
  }
  const bool crowded = is_full() || num_unsent() >= limits_.unsent;
  for (const auto& session : sessions_)
    session->judge(now_ms, crowded ? limits_.crowded_patience_ms : limits_.patience_ms);
  std::erase_if(sessions_, [](const auto& s) { return s->state() == ControlSession::State::kOver; });
  if ((fds[1].revents & POLLIN) != 0) accept_all(now_ms);
  return (fds[0].revents & POLLIN) != 0;
}

std::size_t ControlSocket::num_unsent() const {
  std::size_t num = 0;
  for (const auto& session : sessions_) num += session->num_unsent();
  return num;
}

/// What is shown may be long, and waits for room.
ControlSession* ControlSocket::next_to_answer() const {
  const bool has_room = num_unsent() < limits_.unsent;
  for (const auto& session : sessions_) {
    if (session->state() != ControlSession::State::kAsked) continue;
    if (has_room || session->request().kind != Request::Kind::kShow) return session.get();
  }
  return nullptr;
}

std::string ControlSocket::answer_to(const Request& request) const {
  if (request.kind == Request::Kind::kWrong) return error_line(request.text);
  try {
    return answer_(request) + '\n';
  } catch (const std::exception& failure) {  // no question may end the gateway
    return error_line(failure.what());
  }
}

void ControlSocket::accept_all(std::uint64_t now_ms) {
  while (!is_full()) {
    const int client = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client >= 0) {
      sessions_.push_back(std::make_unique<ControlSession>(client, now_ms));
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR && errno != ECONNABORTED) {
      accept_again_ms_ = now_ms + kAcceptPauseMs;
      return;
    }
  }
}

}  // namespace gate96
