// SPDX-License-Identifier: BSD-3-Clause
// The sections [gateway] and [eal].
#include <fmt/format.h>
#include <sys/un.h>

#include <cctype>

#include "dataplane/config_draft.h"
#include "sha1/select.h"

namespace gate96 {
namespace {

/// The name becomes part of a file prefix and a socket's path.
bool is_plain(const std::string& name) {
  return !name.empty() && name.size() <= 32 && name.front() != '.' &&
         std::ranges::all_of(
             name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; });
}

/// EAL arguments that gate96 makes itself, and the key they come from.
struct OwnArgument {
  std::string_view argument;
  std::string_view key;
};

constexpr OwnArgument kOwnArguments[] = {
    {"--file-prefix", "gateway.name"}, {"-m", "eal.memory_mb"},          {"--socket-mem", "eal.memory_mb"},
    {"--no-huge", "eal.hugepages"},    {"--in-memory", "eal.hugepages"}, {"-l", "gateway.workers"},
    {"-c", "gateway.workers"},         {"--lcores", "gateway.workers"},  {"-a", "port.device"},
    {"--allow", "port.device"},        {"--vdev", "port.device"},        {"--no-pci", "port.device"},
};

void check_extra(TableReader& table, const Text& extra) {
  const std::string_view argument = std::string_view(extra.text).substr(0, extra.text.find_first_of("= "));
  const auto own = std::ranges::find(kOwnArguments, argument, &OwnArgument::argument);
  if (own != std::end(kOwnArguments)) {
    table.error_in("extra", extra, fmt::format("must not be among them; {} sets it", own->key));
  }
}

void check_backend(TableReader& table, const std::string& backend) {
  if (backend == "auto") return;
  const sha1::Found found = sha1::Selection::instance().find(backend);
  if (found.backend != nullptr || found.self_test_failed) return;  // the latter is no fault of the file
  table.error("backend", "must be \"auto\" or a backend that runs here: " + found.error);
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
  if (table.text("backend", Need::kOptional, gateway.backend, "\"auto\" or the name of a SHA-1 backend")) {
    check_backend(table, gateway.backend);
  }
  table.choice<EspFragments>(
      "esp_fragments", Need::kOptional, gateway.esp_fragments,
      {{"reassemble", EspFragments::kReassemble}, {"discard", EspFragments::kDiscard}});
  table.text("state_file", Need::kOptional, gateway.state_file, "the path of a file");
}

void read_eal(TableReader& table, EalConfig& eal) {
  table.boolean("hugepages", eal.hugepages);
  table.integer("memory_mb", Need::kOptional, eal.memory_mb, 64, 1048576);
  for (const Text& extra : table.texts("extra", "a list of strings, one argument each")) {
    check_extra(table, extra);
    eal.extra.push_back(extra.text);
  }
}

}  // namespace gate96
