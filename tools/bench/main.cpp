// SPDX-License-Identifier: BSD-3-Clause
// gate96-bench: one subcommand a file; this one only chooses.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>
#include <vector>

#include "tools/bench/session.h"

namespace gate96::bench {
namespace {

constexpr const char* kAbout =
    "gate96-bench: SHA-1 backends and the burst engine beside their rivals, in one process.\n\n"
    "Contenders take turns A B B A on one core. A sample counts only if a short no-op loop before and after "
    "it ran\n"
    "at full speed. Figures are medians of quiet samples with their interquartile range (IQR); 'noisy' marks "
    "an IQR\n"
    "over 5 % or too few quiet samples, 'not resolved' two intervals that overlap: no winner then.\n"
    "Cycles are core cycles. Ratio = rival's time / ours: above 1, ours is faster.";

constexpr const char* kFooter =
    "Exit codes: 0 done; 1 runtime error, or --compare found a slower row; 2 wrong usage.\n"
    "Examples:\n"
    "  gate96-bench sha1 --json sha1.json\n"
    "  gate96-bench sha1 --tcrypt --backends generic,avx\n"
    "  gate96-bench burst --sizes 64,1420,imix --n 1,8,32 --plot burst.svg\n"
    "  gate96-bench burst --compare old.json --threshold 5%";

int run(const std::vector<Command>& commands, Session& session) {
  for (const Command& command : commands) {
    if (command.app->parsed()) command.run();
  }
  return session.finish();
}

std::string join(int argc, char** argv) {
  std::string line = "gate96-bench";
  for (int i = 1; i < argc; ++i) line += std::string(" ") + argv[i];
  return line;
}

int main_of(int argc, char** argv) {
  CLI::App app(kAbout, "gate96-bench");
  app.footer(kFooter);
  app.require_subcommand(1);
  Session session;
  session.command = join(argc, argv);
  const std::vector<Command> commands = {
      add_sha1(app, session),    add_cold(app, session),    add_footprint(app, session),
      add_urandom(app, session), add_objects(app, session),
#ifdef GATE96_BENCH_RIVALS  // the burst is nothing without them
      add_burst(app, session),
#endif
#ifdef GATE96_BENCH_PATH  // nor are these without the gateway's packet path
      add_path(app, session),    add_fpu(app, session),
#endif
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  try {
    return run(commands, session);
  } catch (const UsageError& error) {
    fmt::print(stderr, "gate96-bench: {}\n", error.what());
    return kExitUsage;
  }
}

}  // namespace
}  // namespace gate96::bench

int main(int argc, char** argv) {
  try {
    return gate96::bench::main_of(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gate96-bench: {}\n", error.what());
    return gate96::bench::kExitFailed;
  }
}
