// SPDX-License-Identifier: BSD-3-Clause
// The sections [gateway] and [eal].
#include <sys/un.h>

#include <cctype>

#include "dataplane/config_draft.h"

namespace gate96 {
namespace {

/// The name becomes part of a file prefix and a socket's path.
bool is_plain(const std::string& name) {
  return !name.empty() && name.size() <= 32 && name.front() != '.' &&
         std::ranges::all_of(
             name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; });
}

}  // namespace

void read_gateway(TableReader& table, GatewayConfig& gateway) {
  if (table.text("name", Need::kOptional, gateway.name) && !is_plain(gateway.name)) {
    table.error("name", "must be 1 to 32 letters, digits, '-', '_' or '.', and not begin with '.'");
  }
  if (table.text("control", Need::kOptional, gateway.control, "the path of a socket")) {
    if (gateway.control.empty() || gateway.control.front() != '/') {
      table.error("control", "must be an absolute path");
    } else if (gateway.control.size() >= sizeof(sockaddr_un::sun_path)) {
      table.error("control", "must be shorter than 108 bytes (unix(7))");
    }
  }
  table.integer("workers", Need::kOptional, gateway.workers, 1, 16);
  table.integer("burst", Need::kOptional, gateway.burst, 1, 256);
  table.choice<Idle>("idle", Need::kOptional, gateway.idle, {{"sleep", Idle::kSleep}, {"poll", Idle::kPoll}});
  table.text("backend", Need::kOptional, gateway.backend, "\"auto\" or the name of a SHA-1 backend");
  table.choice<EspFragments>(
      "esp_fragments", Need::kOptional, gateway.esp_fragments,
      {{"reassemble", EspFragments::kReassemble}, {"discard", EspFragments::kDiscard}});
  table.text("state_file", Need::kOptional, gateway.state_file, "the path of a file");
}

void read_eal(TableReader& table, EalConfig& eal) {
  table.boolean("hugepages", eal.hugepages);
  table.integer("memory_mb", Need::kOptional, eal.memory_mb, 64, 1048576);
  eal.extra = table.texts("extra", "a list of strings, one argument each");
}

}  // namespace gate96
