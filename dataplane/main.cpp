// SPDX-License-Identifier: BSD-3-Clause
// gate96: the command line. Each command is in a cli_NAME.cpp of its own.
#include <fmt/format.h>

#include <exception>

#include "dataplane/cli.h"

int main(int argc, char** argv) {
  CLI::App app(
      "gate96: an IPsec gateway for packets that are authenticated and stay readable (ESP-NULL, "
      "HMAC-SHA1-96)");
  app.footer(
      "Exit codes: 0 good, 1 failed while running, 2 wrong use, 3 wrong configuration, 4 no gateway is "
      "running,\n"
      "6 a self-test failed. `gate96 COMMAND --help` has more.\n\n"
      "Examples:\n"
      "  gate96 check site-a.toml           say what is wrong with a configuration");
  app.require_subcommand(1);
  int exit_code = gate96::kOk;
  gate96::add_check(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    return app.exit(failure) == 0 ? gate96::kOk : gate96::kUsage;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "gate96: {}\n", failure.what());
    return gate96::kRuntimeError;
  }
  return exit_code;
}
