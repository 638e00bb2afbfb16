// SPDX-License-Identifier: BSD-3-Clause
// Order statistics of a handful of samples: robust where a mean is not.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gate96::bench {

/// Samples in one line. `q1` and `q3` bound the interval that comparisons use; all values share the samples'
/// unit.
struct Summary {
  double best = 0;  // the smallest
  double q1 = 0;
  double median = 0;
  double q3 = 0;
  double mean = 0;
  std::size_t num = 0;

  /// Interquartile range over median: 0.02 reads "half of the samples lie within 2 %".
  [[nodiscard]] double spread() const { return median > 0 ? (q3 - q1) / median : 0; }
};

/// The quantile `p` in 0..1 of ascending `sorted` (not empty), linear between neighbours.
double quantile(std::span<const double> sorted, double p);

/// All zero if there are no samples.
Summary summarise(std::vector<double> samples);

/// True if the intervals q1..q3 share a point: then neither is called the faster.
bool overlap(const Summary& a, const Summary& b);

enum class Winner { kNone, kFirst, kSecond };

/// Which of two times is the smaller; kNone where the intervals overlap.
Winner winner(const Summary& first, const Summary& second);

}  // namespace gate96::bench
