// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/control_client.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "dataplane/cli.h"

namespace gate96 {
namespace {

/// To a gateway that may have given us up: then its reason can still be read.
void converse(int fd, const std::string& request, Reply& reply) {
  const std::string line = request + "\n";
  if (send(fd, line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size()))
    reply.error = errno;
  char buffer[4096];
  ssize_t num = 0;
  while ((num = recv(fd, buffer, sizeof buffer, 0)) > 0)
    reply.text.append(buffer, static_cast<std::size_t>(num));
  if (num < 0) reply.error = errno;
  reply.is_whole = reply.text.ends_with('\n');
}

}  // namespace

Reply ask_gateway(const std::string& path, const std::string& request) {
  Reply reply;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    reply.error = ENAMETOOLONG;
    return reply;
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  reply.is_connected =
      fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  if (!reply.is_connected) {
    reply.error = errno;
  } else {
    converse(fd, request, reply);
  }
  if (fd >= 0) close(fd);
  return reply;
}

std::optional<std::string> ask_or_complain(const std::string& path, const std::string& request,
                                           int& exit_code) {
  Reply reply = ask_gateway(path, request);
  if (reply.is_whole) return std::move(reply.text);
  exit_code = reply.is_connected ? kRuntimeError : kNoDaemon;
  if (!reply.is_connected) {
    fmt::print(stderr,
               "gate96: no gateway answers at {}: {}; is it running (`gate96 run CONFIG`), and is this its "
               "gateway.control?\n",
               path, std::strerror(reply.error));
  } else {
    fmt::print(stderr,
               "gate96: the gateway at {} closed the connection before its answer was whole{}: it is ending, "
               "or it waited too long for this command on a busy machine; try again\n",
               path, reply.error == 0 ? "" : fmt::format(" ({})", std::strerror(reply.error)));
  }
  return std::nullopt;
}

}  // namespace gate96
