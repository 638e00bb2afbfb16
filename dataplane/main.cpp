// SPDX-License-Identifier: BSD-3-Clause
// gate96: the command line. Each command is in a cli_NAME.cpp of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>
#include <system_error>
#include <vector>

#include "dataplane/cli.h"
#include "dataplane/config_keys.h"

namespace {

/// Says what the parser objected to. A command that does not exist gets the nearest one that does.
int refuse(const CLI::App& app, const CLI::ParseError& failure, int argc, char** argv) {
  std::vector<std::string_view> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (argc < 2) {
    fmt::print(stderr, "{}", app.help());
  } else if (argv[1][0] != '-' && std::ranges::find(commands, argv[1]) == commands.end()) {
    const std::string_view guess = gate96::nearest(argv[1], commands);
    fmt::print(stderr, "gate96: no command \"{}\"; {}\n", argv[1],
               guess.empty() ? "see gate96 --help" : fmt::format("did you mean \"{}\"?", guess));
  } else {
    fmt::print(stderr, "gate96: {}; see gate96 {}--help\n", failure.what(),
               argv[1][0] == '-' ? "" : fmt::format("{} ", argv[1]));
  }
  return gate96::kUsage;
}

/// A reader of standard output that has seen enough and gone, as `head -1` does, is no fault to tell of;
/// where SIGPIPE is not ignored it ends us before this.
int output_failed(int error) {
  if (error != EPIPE) fmt::print(stderr, "gate96: standard output: {}\n", std::strerror(error));
  return gate96::kRuntimeError;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "gate96: an IPsec gateway for packets that are authenticated and stay readable (ESP-NULL, "
      "HMAC-SHA1-96)");
  app.footer(
      "Exit codes: 0 good, 1 failed while running, 2 wrong use, 3 wrong configuration, 4 no gateway is "
      "running,\n"
      "6 a self-test failed. `gate96 COMMAND --help` has more.\n\n"
      "Examples:\n"
      "  gate96 check site-a.toml                        say what is wrong with a configuration\n"
      "  gate96 run site-a.toml                          be the gateway\n"
      "  gate96 show counters --name site-a              what became of every packet\n"
      "  gate96 explain site-a.toml --port wan in.pcap   what would become of these\n"
      "  gate96 crypto                                   which SHA-1 code runs here, and how fast\n"
      "  gate96 export linux site-a.toml                 the commands for a Linux peer\n"
      "  gate96 import linux listing                     a configuration from a Linux kernel's");
  app.name("gate96");
  app.require_subcommand(1);
  int exit_code = gate96::kOk;
  gate96::add_run(app, exit_code);
  gate96::add_check(app, exit_code);
  gate96::add_reload(app, exit_code);
  gate96::add_show(app, exit_code);
  gate96::add_state(app, exit_code);
  gate96::add_explain(app, exit_code);
  gate96::add_crypto(app, exit_code);
  gate96::add_export(app, exit_code);
  gate96::add_import(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    if (failure.get_exit_code() != 0) return refuse(app, failure, argc, argv);
    exit_code = app.exit(failure);  // help
  } catch (const std::system_error& failure) {
    if (std::ferror(stdout) != 0) return output_failed(failure.code().value());
    fmt::print(stderr, "gate96: {}\n", failure.what());
    return gate96::kRuntimeError;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "gate96: {}\n", failure.what());
    return gate96::kRuntimeError;
  }
  return std::fflush(stdout) == 0 ? exit_code : output_failed(errno);
}
