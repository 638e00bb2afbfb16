// SPDX-License-Identifier: BSD-3-Clause
// The commands of gate96. Each add_NAME adds its subcommand; when the user has chosen it, `exit_code` is
// written.
#pragma once

#include <CLI/CLI.hpp>

namespace gate96 {

enum ExitCode : int {
  kOk = 0,
  kRuntimeError = 1,
  kUsage = 2,
  kBadConfig = 3,
  kNoDaemon = 4,
  kSelfTestFailed = 6,
};

void add_check(CLI::App& app, int& exit_code);
void add_crypto(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_import(CLI::App& app, int& exit_code);
void add_reload(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_state(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);

}  // namespace gate96
