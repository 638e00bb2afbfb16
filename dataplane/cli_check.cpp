// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "dataplane/cli.h"
#include "dataplane/cli_config.h"

namespace gate96 {
namespace {

struct Options {
  std::string config;
  bool json = false;
};

int check(const Options& options) {
  const Result<Config> config = load_sealed(options.config);
  if (options.json) {
    fmt::print("{}\n", to_json(config.diagnostics()));
  } else {
    for (const Diagnostic& diagnostic : config.diagnostics())
      fmt::print(stderr, "{}\n", to_string(diagnostic));
    if (config) {
      fmt::print("{}: good: {} ports, {} routes, {} SAs, {} policies\n", options.config,
                 config.value().ports.size(), config.value().routes.size(), config.value().sas.size(),
                 config.value().policies.size());
    }
  }
  return config ? kOk : kBadConfig;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("check", "Read a configuration and say everything that is wrong with it");
  command->footer(
      "Errors name file, line, key, value and what would be right; warnings do not stop the gateway.\n"
      "Exit code 0: good (warnings apart); 3: wrong.\n\n"
      "Example:\n  gate96 check /etc/gate96/site-a.toml");
  const auto options = std::make_shared<Options>();
  command->add_option("CONFIG", options->config, "The configuration file (TOML)")->required();
  command->add_flag("--json", options->json,
                    "Print a list of objects: file, line, key, value, message, severity (error, warning)");
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace gate96
