// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "dataplane/cli.h"
#include "dataplane/control_client.h"
#include "dataplane/verdict.h"

namespace gate96 {
namespace {

using Json = nlohmann::ordered_json;

std::string cell(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_array()) return value.dump();
  std::vector<std::string> items;
  for (const Json& item : value) items.push_back(cell(item));
  return items.empty() ? "-" : fmt::format("{}", fmt::join(items, " "));
}

/// A list of flat objects as a table, one object a line, numbers to the right.
void print_table(const Json& rows) {
  if (rows.empty()) return fmt::print("none\n");
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& [key, value] : rows.front().items()) lines.front().push_back(key);
  for (const Json& row : rows) {
    lines.emplace_back();
    for (const Json& value : row) lines.back().push_back(cell(value));
  }
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  const std::vector<Json> kinds(rows.front().begin(), rows.front().end());
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += kinds[i].is_number() ? fmt::format("{:>{}}  ", line[i], widths[i])
                                   : fmt::format("{:<{}}  ", line[i], widths[i]);
    }
    fmt::print("{}\n", text.substr(0, text.find_last_not_of(' ') + 1));
  }
}

std::string_view meaning_of(std::string_view drop) {
  for (std::size_t i = kFirstDrop; i < kNumVerdicts; ++i) {
    if (name(static_cast<Verdict>(i)) == drop) return meaning(static_cast<Verdict>(i));
  }
  return "";
}

void print_counters(const Json& counters) {
  for (const auto& [key, value] : counters.items()) {
    if (value.is_object() && value.empty()) {
      fmt::print("{:<20} {:>14}\n", key, "none");
    } else if (value.is_object()) {
      if (key != "drops") fmt::print("{}\n", key);
      for (const auto& [reason, count] : value.items()) {
        fmt::print("  {:<18} {:>14}  {}\n", reason, count.get<std::uint64_t>(), meaning_of(reason));
      }
    } else {
      fmt::print("{:<20} {:>14}\n", key, cell(value));
    }
  }
}

int show_once(const ShowOptions& options) {
  int exit_code = kOk;
  const auto answer = ask_or_complain(options.control, options.what, exit_code);
  if (!answer) return exit_code;
  if (options.json) {
    fmt::print("{}", *answer);
    return kOk;
  }
  const Json json = Json::parse(*answer, nullptr, false);
  if (json.is_discarded() || json.contains("error")) {
    fmt::print(stderr, "gate96: the gateway says: {}", *answer);
    return kRuntimeError;
  }
  if (json.contains("ports")) {
    print_table(json["ports"]);
  } else if (json.contains("stages")) {
    for (const char* table : {"backends", "lanes", "stages"}) {
      fmt::print("{}:\n", table);
      print_table(json[table]);
    }
  } else if (json.contains("sas")) {
    print_table(json["sas"]);
  } else if (json.contains("events")) {
    print_table(json["events"]);
    if (json["lost"] != 0)
      fmt::print("{} more were lost: too many at once, or nobody reads standard error\n", cell(json["lost"]));
  } else {
    print_counters(json);
  }
  return kOk;
}

}  // namespace

int show(const ShowOptions& options) {
  constexpr timespec kSecond = {1, 0};
  int code = show_once(options);
  while (options.watch && code == kOk && std::fflush(stdout) == 0) {  // main() tells of a closed output
    nanosleep(&kSecond, nullptr);
    if (!options.json) fmt::print("{}", isatty(STDOUT_FILENO) == 1 ? "\033[H\033[J" : "\n");
    code = show_once(options);
  }
  return code;
}

}  // namespace gate96
