// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "dataplane/cli.h"
#include "dataplane/cli_config.h"
#include "dataplane/state_keeper.h"

namespace gate96 {
namespace {

int init(const std::string& path) {
  const auto config = load_or_complain(path);
  if (!config) return kBadConfig;
  if (config->gateway.state_file.empty()) {
    fmt::print(stderr, "gate96: {}: gateway.state_file is not set; there is nothing to make\n", path);
    return kBadConfig;
  }
  const std::string file = state_path(*config);
  if (const std::string why = init_state(file); !why.empty()) {
    fmt::print(stderr, "gate96: {}\n", why);
    return kRuntimeError;
  }
  fmt::print("{}: made; every SA begins at its seq_start\n", file);
  return kOk;
}

}  // namespace

void add_state(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("state", "Prepare the file in which sequence numbers outlive restarts");
  command->require_subcommand(1);
  CLI::App* const init_command = command->add_subcommand(
      "init",
      "Make the state file of a configuration whose keys have never been used; one that is there stays");
  init_command->footer(
      "SAs that are added later need no init: one that the file does not know begins at its seq_start. The "
      "file is\n"
      "text; it names SAs by SPI, addresses and a fingerprint of the key, and holds no key.\n\n"
      "Example:\n  gate96 state init /etc/gate96/site-a.toml");
  const auto path = std::make_shared<std::string>();
  init_command->add_option("CONFIG", *path, "The configuration file (TOML)")->required();
  init_command->callback([path, &exit_code] { exit_code = init(*path); });
}

}  // namespace gate96
