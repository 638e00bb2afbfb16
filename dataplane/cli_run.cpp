// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "dataplane/cli.h"
#include "dataplane/cli_config.h"
#include "dataplane/gateway.h"
#include "sha1/select.h"

namespace gate96 {
namespace {

/// A backend that was asked for by name and gave wrong answers at start must not be replaced by another in
/// silence.
bool has_failed(const std::string& backend) {
  const sha1::Found found = sha1::Selection::instance().find(backend);
  if (found.self_test_failed) fmt::print(stderr, "gate96: {}\n", found.error);
  return found.self_test_failed;
}

int run(const std::string& path, const RunOptions& options) {
  const auto config = load_or_complain(path);
  if (!config) return kBadConfig;
  return has_failed(config->gateway.backend) ? kSelfTestFailed : run_gateway(*config, options);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  struct Options {
    std::string config;
    RunOptions run;
  };
  CLI::App* const command = app.add_subcommand("run", "Run the gateway until SIGTERM or SIGINT");
  command->footer(
      "Needs CAP_NET_RAW for af_packet ports, CAP_NET_ADMIN for tap ports; root has both.\n"
      "Exit code 1: something did not come up; 3: wrong configuration; 6: the backend that\n"
      "gateway.backend names failed its self-test. The reason is on standard error.\n\n"
      "Example:\n  gate96 run /etc/gate96/site-a.toml");
  const auto options = std::make_shared<Options>();
  command->add_option("CONFIG", options->config, "The configuration file (TOML)")->required();
  command->add_flag("--quiet", options->run.quiet, "Print nothing when the gateway is up");
  command->callback([options, &exit_code] { exit_code = run(options->config, options->run); });
}

}  // namespace gate96
