// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/compare.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <stdexcept>

namespace gate96::bench {
namespace {

bool apart(const Row& a, const Row& b) {
  return a.q1_ns > b.q3_ns || b.q1_ns > a.q3_ns;
}

void judge(Comparison& result, const Row& old_row, const Row& new_row, double threshold) {
  const Change change{new_row.identity(), old_row.ns, new_row.ns};
  if (apart(old_row, new_row) && new_row.ns > old_row.ns * (1 + threshold)) {
    result.slower.push_back(change);
  } else if (apart(old_row, new_row) && new_row.ns < old_row.ns * (1 - threshold)) {
    result.faster.push_back(change);
  } else {
    ++result.unchanged;
  }
}

std::string to_text(const char* what, const std::vector<Change>& changes) {
  std::string text;
  for (const Change& c : changes) {
    text += fmt::format("{}: {}: {:.1f} -> {:.1f} ns ({:+.1f} %)\n", what, c.identity, c.old_ns, c.new_ns,
                        c.percent());
  }
  return text;
}

}  // namespace

Comparison compare(std::span<const Row> old_rows, std::span<const Row> new_rows, double threshold) {
  std::map<std::string, const Row*> unmatched;
  for (const Row& row : old_rows) unmatched[row.identity()] = &row;
  Comparison result;
  for (const Row& row : new_rows) {
    const auto found = unmatched.find(row.identity());
    if (found == unmatched.end()) {
      result.added.push_back(row.identity());
      continue;
    }
    judge(result, *found->second, row, threshold);
    unmatched.erase(found);
  }
  for (const auto& [identity, row] : unmatched) result.missing.push_back(identity);
  return result;
}

double parse_threshold(const std::string& text) {
  const bool percent = text.ends_with('%');
  const std::size_t len = text.size() - (percent ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + len, value);
  if (error != std::errc{} || end != text.data() + len || !(value >= 0)) {
    throw std::invalid_argument(fmt::format("'{}' is not a threshold: \"5%\" or \"0.05\"", text));
  }
  return percent ? value / 100 : value;
}

std::string to_text(const Comparison& comparison) {
  std::string text = to_text("slower", comparison.slower) + to_text("faster", comparison.faster);
  for (const std::string& identity : comparison.missing) text += "not measured now: " + identity + "\n";
  for (const std::string& identity : comparison.added) text += "not in the old run: " + identity + "\n";
  return text + fmt::format("{} slower, {} faster, {} unchanged, {} missing, {} new\n",
                            comparison.slower.size(), comparison.faster.size(), comparison.unchanged,
                            comparison.missing.size(), comparison.added.size());
}

}  // namespace gate96::bench
