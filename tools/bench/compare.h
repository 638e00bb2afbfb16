// SPDX-License-Identifier: BSD-3-Clause
// This run against an earlier one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/bench/row.h"

namespace gate96::bench {

struct Change {
  std::string identity;
  double old_ns = 0;
  double new_ns = 0;
  [[nodiscard]] double percent() const { return (new_ns / old_ns - 1) * 100; }
};

struct Comparison {
  std::vector<Change> slower;  // beyond the threshold, and the intervals do not overlap
  std::vector<Change> faster;  // likewise
  std::size_t unchanged = 0;
  std::vector<std::string> missing;  // identities that only the old run has
  std::vector<std::string> added;    // only the new one
};

/// Rows are matched by identity. `threshold`: 0.05 is 5 %.
Comparison compare(std::span<const Row> old_rows, std::span<const Row> new_rows, double threshold);

/// "5%" or "0.05"; throws std::invalid_argument.
double parse_threshold(const std::string& text);

std::string to_text(const Comparison& comparison);

}  // namespace gate96::bench
