// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "dataplane/cli.h"
#include "hmac/choice.h"
#include "sha1/report.h"

namespace gate96 {
namespace {

struct Options {
  bool json = false;
  bool why = false;
};

std::string needs_of(const sha1::ReportRow& row) {
  std::string text;
  for (const std::string& need : row.needs) text += (text.empty() ? "" : " ") + need;
  return text.empty() ? "-" : text;
}

void print_table(const std::vector<sha1::ReportRow>& rows) {
  fmt::print("{:<14} {:>5} {:<7} {:>6} {:>12}  {:<9}  {}\n", "BACKEND", "LANES", "CODE", "BYTES",
             "CYCLES/BLOCK", "SELF-TEST", "NEEDS");
  for (const sha1::ReportRow& row : rows) {
    const std::string cycles = row.usable ? fmt::format("{:.1f}", row.cycles_per_block) : "-";
    fmt::print("{:<14} {:>5} {:<7} {:>6} {:>12}  {:<9}  {}\n", row.name, row.lanes,
               row.vector ? "vector" : "scalar", row.code_bytes, cycles, row.self_test, needs_of(row));
    if (!row.usable) fmt::print("  cannot run here: {}\n", row.why_not);
  }
}

void print_json(const std::vector<sha1::ReportRow>& rows, const std::string& why) {
  nlohmann::ordered_json report{{"backends", nlohmann::ordered_json::array()}};
  for (const sha1::ReportRow& row : rows) {
    report["backends"].push_back({{"name", row.name},
                                  {"lanes", row.lanes},
                                  {"vector", row.vector},
                                  {"needs", row.needs},
                                  {"usable", row.usable},
                                  {"why_not", row.why_not},
                                  {"self_test", row.self_test},
                                  {"code_bytes", row.code_bytes},
                                  {"cycles_per_block", row.cycles_per_block}});
  }
  if (!why.empty()) report["why"] = why;
  fmt::print("{}\n", report.dump(2));
}

int crypto(const Options& options) {
  const auto rows = sha1::report(sha1::Selection::instance());
  const std::string why = options.why ? hmac::BackendChoice::automatic().explain() : "";
  if (options.json) {
    print_json(rows, why);
  } else {
    print_table(rows);
    if (options.why)
      fmt::print("\nWhat backend = \"auto\" takes, by number and length of messages:\n{}", why);
  }
  const bool all_right =
      std::ranges::none_of(rows, [](const auto& row) { return row.self_test == "failed"; });
  return all_right ? kOk : kSelfTestFailed;
}

}  // namespace

void add_crypto(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("crypto", "List the SHA-1 backends: what they need, and how fast they are here");
  command->footer(
      "Cycles are core cycles for a block of 64 bytes in each lane, with everything in cache; measured now, "
      "so\n"
      "busy neighbours show. Exit code 6: a self-test failed (its backend is not used).\n\n"
      "Examples:\n  gate96 crypto\n  gate96 crypto --why\n  gate96 crypto --json");
  const auto options = std::make_shared<Options>();
  command->add_flag("--why", options->why,
                    "Add which backend serves which number of messages, and the measurements behind it");
  command->add_flag("--json", options->json, "Print {\"backends\": [...]}, and \"why\" with --why");
  command->callback([options, &exit_code] { exit_code = crypto(*options); });
}

}  // namespace gate96
