// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "dataplane/cli.h"
#include "dataplane/cli_config.h"
#include "dataplane/gateway.h"

namespace gate96 {

void add_run(CLI::App& app, int& exit_code) {
  struct Options {
    std::string config;
    RunOptions run;
  };
  CLI::App* const command = app.add_subcommand("run", "Run the gateway until SIGTERM or SIGINT");
  command->footer(
      "Needs CAP_NET_RAW for af_packet ports, CAP_NET_ADMIN for tap ports; root has both.\n"
      "Exit code 1: something did not come up; 3: wrong configuration. The reason is on standard error.\n\n"
      "Example:\n  gate96 run /etc/gate96/site-a.toml");
  const auto options = std::make_shared<Options>();
  command->add_option("CONFIG", options->config, "The configuration file (TOML)")->required();
  command->add_flag("--quiet", options->run.quiet, "Print nothing when the gateway is up");
  command->callback([options, &exit_code] {
    const auto config = load_or_complain(options->config);
    exit_code = config ? run_gateway(*config, options->run) : kBadConfig;
  });
}

}  // namespace gate96
