// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <optional>

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

int run(const std::string& path, std::optional<double> simd_off_rate, const RunOptions& options) {
  auto config = load_or_complain(path);
  if (!config) return kBadConfig;
  set_simd_off_rate(*config, simd_off_rate);
  return has_failed(config->gateway.backend) ? kSelfTestFailed : run_gateway(*config, options);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  struct Options {
    std::string config;
    RunOptions run;
    std::optional<double> simd_off_rate;
  };
  CLI::App* const command = app.add_subcommand("run", "Run the gateway until SIGTERM or SIGINT");
  command->footer(
      "Needs CAP_NET_RAW for af_packet ports, CAP_NET_ADMIN for tap ports; root has both. Workers drop all "
      "capabilities\n"
      "once the ports are open, and the process cannot be dumped or traced by its own user.\n"
      "With gateway.state_file, sequence numbers and replay windows outlive restarts and crashes. A gateway "
      "whose\n"
      "state file is missing or damaged does not start, since the keys are static: numbers would be used "
      "twice.\n"
      "Make the first one with `gate96 state init CONFIG`.\n"
      "Exit code 1: something did not come up; 3: wrong configuration; 6: the backend that\n"
      "gateway.backend names failed its self-test. The reason is on standard error.\n\n"
      "Example:\n  gate96 run /etc/gate96/site-a.toml");
  const auto options = std::make_shared<Options>();
  command->add_option("CONFIG", options->config, "The configuration file (TOML)")->required();
  command->add_flag("--quiet", options->run.quiet, "Print nothing when the gateway is up");
  command->add_flag_callback(
      "--accept-sequence-reuse", [options] { options->run.missing = MissingState::kAcceptReuse; },
      "Start without a usable state file, and make a new one: numbers begin again at seq_start, peers may "
      "drop our "
      "packets, and old ones may be replayed to us");
  command
      ->add_option("--simd-off-rate", options->simd_off_rate,
                   "Share of the asks for vector code to refuse, under any [fpu] profile: tests the fallback")
      ->check(CLI::Range(0.0, 1.0));
  command->callback(
      [options, &exit_code] { exit_code = run(options->config, options->simd_off_rate, options->run); });
}

}  // namespace gate96
