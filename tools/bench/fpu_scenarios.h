// SPDX-License-Identifier: BSD-3-Clause
// The reports that the mailing lists argued about, as experiments: what was claimed, and whether it shows
// here. A new one is one function and one line in the table.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/bench/fpu_row.h"

namespace gate96::bench {

/// One way of doing it, to be set against others.
struct Variant {
  std::string what;
  fpu::FpuConfig fpu = {};
  Traffic traffic = {};
};

/// A row of repetitions, at least one: of median throughput; its longest section is the shortest of those
/// that kept the core.
[[nodiscard]] FpuRow row_of(const Variant& variant, std::vector<Run> runs);

/// Runs variants in turn, again and again, so that a slow spell of the machine hits all alike.
class Rounds {
 public:
  Rounds(FpuPath& path, unsigned num) : path_(path), num_(num) {}
  /// A row each.
  [[nodiscard]] std::vector<FpuRow> operator()(const std::vector<Variant>& variants) const;

  /// So many times as many of them: for runs that are short.
  [[nodiscard]] Rounds times(unsigned factor) const { return {path_, num_ * factor}; }

 private:
  FpuPath& path_;
  unsigned num_;
};

struct Finding {
  std::vector<FpuRow> rows;
  std::string verdict;  // "shows", "absent" or "unresolved"
  std::string seen;     // the figures, in a sentence
};

struct Scenario {
  std::string_view name;
  std::string_view claimed;
  std::string_view shows_if;  // the claim as a threshold: from the report, not from figures of ours
  Finding (*look)(const Rounds& rounds);
};

[[nodiscard]] std::span<const Scenario> scenarios();

}  // namespace gate96::bench
