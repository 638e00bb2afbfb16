// SPDX-License-Identifier: BSD-3-Clause
// What all reports of a running gateway do with its workers' counters.
#pragma once

#include <cmath>
#include <cstdint>

#include "dataplane/gateway.h"

namespace gate96 {

/// The sum over all workers of what `of` finds in each.
template <class Of>
[[nodiscard]] std::uint64_t sum_over_workers(const Gateway& gateway, Of&& of) {
  std::uint64_t total = 0;
  for (const auto& lcore : gateway.lcores()) total += of(lcore->worker());
  return total;
}

/// Of `whole`, to four decimals; 0 of nothing.
[[nodiscard]] inline double ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return 0;
  return std::round(static_cast<double>(part) / static_cast<double>(whole) * 1e4) / 1e4;
}

}  // namespace gate96
