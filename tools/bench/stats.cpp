// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gate96::bench {

double quantile(std::span<const double> sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(std::floor(position));
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return std::lerp(sorted[low], sorted[high], position - static_cast<double>(low));
}

Summary summarise(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  return {.best = samples.front(),
          .q1 = quantile(samples, 0.25),
          .median = quantile(samples, 0.5),
          .q3 = quantile(samples, 0.75),
          .mean = sum / static_cast<double>(samples.size()),
          .num = samples.size()};
}

bool overlap(const Summary& a, const Summary& b) {
  return a.q1 <= b.q3 && b.q1 <= a.q3;
}

Winner winner(const Summary& first, const Summary& second) {
  if (overlap(first, second)) return Winner::kNone;
  return first.median < second.median ? Winner::kFirst : Winner::kSecond;
}

}  // namespace gate96::bench
