// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/control.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "dataplane/gateway.h"
#include "dataplane/status.h"

namespace gate96 {
namespace {

constexpr std::size_t kMaxRequest = 4200;  // "reload " and a path
constexpr int kBacklog = 16;
constexpr int kHousekeepingMs = 100;
constexpr timeval kClientPatience = {1, 0};  // a client that stalls must not stall the others for longer

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

/// `path`, once there is a folder for it.
std::string with_folder(std::string path) {
  std::error_code ignored;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  return path;
}

bool send_all(int fd, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = send(fd, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

Instance::Instance(const std::string& socket_path)
    : socket_path_(socket_path), lock_(with_folder(socket_path + ".lock")) {
  if (lock_.held()) return;
  if (lock_.error() == EWOULDBLOCK) {
    fail(socket_path,
         "another gate96 runs with it; give this one another gateway.name (and gateway.control)");
  }
  fail(socket_path,
       fmt::format("cannot make {}: {}; run as root or set gateway.control to a path you may write",
                   lock_.path(), std::strerror(lock_.error())));
}

ControlServer::ControlServer(const Instance& instance, Gateway& gateway)
    : gateway_(gateway), path_(instance.socket_path()) {
  const sockaddr_un address = address_of(path_);
  fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd_ < 0) fail(path_, std::strerror(errno));
  unlink(path_.c_str());  // left by one that was killed: the instance lock says that none lives
  const mode_t before = umask(0177);
  const bool bound = bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  umask(before);
  if (!bound || listen(fd_, kBacklog) != 0) {
    const int error = errno;
    close(fd_);
    fail(path_, std::strerror(error));
  }
}

ControlServer::~ControlServer() {
  close(fd_);
  unlink(path_.c_str());
}

void ControlServer::serve(const Signals& signals) {
  while (true) {
    pollfd fds[] = {{signals.fd(), POLLIN, 0}, {fd_, POLLIN, 0}};
    if (poll(fds, 2, kHousekeepingMs) < 0 && errno != EINTR) throw std::runtime_error(std::strerror(errno));
    gateway_.housekeep();
    if ((fds[0].revents & POLLIN) != 0) {
      if (signals.take() != SIGHUP) return;
      fmt::print(stderr, "gate96: SIGHUP: {}\n", reload(""));
    }
    if ((fds[1].revents & POLLIN) == 0) continue;
    const int client = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    answer(client);
    close(client);
  }
}

std::string ControlServer::reload(const std::string& file) {
  const Gateway::Reloaded result = gateway_.reload(file);
  return nlohmann::ordered_json{{"reloaded", result.exit_code == 0},
                                {"file", file.empty() ? gateway_.config().file : file},
                                {"exit_code", result.exit_code},
                                {"sas", gateway_.tables().sas.size()},
                                {"sas_kept", result.num_kept},
                                {"policies", gateway_.config().policies.size()},
                                {"routes", gateway_.config().routes.size()},
                                {"messages", result.messages}}
      .dump();
}

void ControlServer::answer(int client) {
  setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &kClientPatience, sizeof kClientPatience);
  setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &kClientPatience, sizeof kClientPatience);
  std::string request;
  char byte = 0;
  while (request.size() < kMaxRequest && recv(client, &byte, 1, 0) == 1 && byte != '\n') request += byte;
  const bool is_reload = request == "reload" || request.starts_with("reload ");
  const std::string text = is_reload ? reload(request.substr(std::min(request.size(), std::size_t{7})))
                                     : status_json(gateway_, request);
  static_cast<void>(send_all(client, text + "\n"));
}

}  // namespace gate96
