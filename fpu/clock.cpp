// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/clock.h"

#include <chrono>

namespace gate96::fpu {
namespace {

double measure() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kSpan{2};
  const auto start = Clock::now();
  const std::uint64_t first = ticks();
  while (Clock::now() - start < kSpan) _mm_pause();
  const std::uint64_t last = ticks();
  const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
  return taken.count() / static_cast<double>(last - first);
}

}  // namespace

double ns_per_tick() {
  static const double value = measure();
  return value;
}

}  // namespace gate96::fpu
