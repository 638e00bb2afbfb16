// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/control.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "dataplane/gateway.h"
#include "dataplane/json_text.h"
#include "dataplane/log_line.h"
#include "dataplane/status.h"

namespace gate96 {
namespace {

constexpr int kHousekeepingMs = 100;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw std::runtime_error(fmt::format("control socket {}: {}", path, why));
}

/// `path`, once there is a folder for it.
std::string with_folder(std::string path) {
  std::error_code ignored;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  return path;
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
    : gateway_(gateway),
      socket_(instance.socket_path(), [this](const Request& request) { return answer(request); }) {}

void ControlServer::serve(const Signals& signals) {
  while (true) {
    const bool is_signalled = socket_.serve(signals.fd(), kHousekeepingMs);
    gateway_.housekeep();
    const int signal = is_signalled ? signals.take() : 0;
    if (signal == SIGTERM || signal == SIGINT) return;
    if (signal != SIGHUP) continue;
    const std::string line = fmt::format("gate96: SIGHUP: {}\n", reload(""));
    static_cast<void>(log_line(line));  // whoever reads it may have gone
  }
}

std::string ControlServer::reload(const std::string& file) {
  const Gateway::Reloaded result = gateway_.reload(file);
  return json_text({{"reloaded", result.exit_code == 0},
                    {"file", file.empty() ? gateway_.config().file : file},
                    {"exit_code", result.exit_code},
                    {"sas", gateway_.tables().sas.size()},
                    {"sas_kept", result.num_kept},
                    {"policies", gateway_.config().policies.size()},
                    {"routes", gateway_.config().routes.size()},
                    {"messages", result.messages}});
}

std::string ControlServer::answer(const Request& request) {
  return request.kind == Request::Kind::kReload ? reload(request.text) : status_json(gateway_, request.text);
}

}  // namespace gate96
