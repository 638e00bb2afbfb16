// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "dataplane/cli.h"
#include "dataplane/cli_config.h"
#include "dataplane/export.h"

namespace gate96 {
namespace {

struct Options {
  std::string config;
  bool with_keys = false;
};

using Export = std::string (*)(const Config&, KeyText);

int print(const Options& options, Export make) {
  const Result<Config> config = load_sealed(options.config);
  for (const Diagnostic& diagnostic : config.diagnostics()) fmt::print(stderr, "{}\n", to_string(diagnostic));
  if (!config) return kBadConfig;
  fmt::print("{}", make(config.value(), options.with_keys ? KeyText::kKey : KeyText::kPlaceholder));
  return kOk;
}

void add_format(CLI::App& parent, const char* name, const char* description, const char* footer, Export make,
                int& exit_code) {
  CLI::App* const command = parent.add_subcommand(name, description);
  command->footer(footer);
  const auto options = std::make_shared<Options>();
  command->add_option("CONFIG", options->config, "The configuration file (TOML)")->required();
  command->add_flag("--with-keys", options->with_keys,
                    "Print the keys themselves; guard the output as you guard them");
  command->callback([options, make, &exit_code] { exit_code = print(*options, make); });
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("export", "Print what the peer, or Wireshark, needs to know");
  command->require_subcommand(1);
  add_format(
      *command, "linux", "Commands (ip xfrm) that make a Linux kernel the peer of this configuration",
      "Without --with-keys the keys come from environment variables, which the commands ask for by name.\n\n"
      "Examples:\n  gate96 export linux site-a.toml > peer.sh\n"
      "  gate96 export linux --with-keys site-a.toml | ssh root@peer sh",
      export_linux, exit_code);
  add_format(*command, "wireshark", "Lines for Wireshark's table of ESP SAs, with which it checks every ICV",
             "With \"Attempt to detect/decode NULL encrypted ESP payloads\" and \"Attempt to check ESP "
             "Authentication\"\n"
             "switched on (Preferences, Protocols, ESP).\n\n"
             "Example:\n  gate96 export wireshark --with-keys site-a.toml >> ~/.config/wireshark/esp_sa",
             export_wireshark, exit_code);
}

}  // namespace gate96
