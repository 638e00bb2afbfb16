// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/cycles.h"

#include <x86intrin.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gate96::sha1 {
namespace {

constexpr std::size_t kNumBlocks = 16;
constexpr int kNumRuns = 200;
constexpr double kSteady = 0.02;  // the clock may change by this much within a run

using Data = std::array<std::uint8_t, kNumBlocks * kBlockLen>;

// TSC ticks for a core cycle. Rotates, since a chain of additions may be folded at rename.
double ticks_per_cycle() {
  constexpr int kNumTimes = 20;
  constexpr int kChainLen = 100;
  std::uint32_t x = 1;
  const std::uint64_t begin = __rdtsc();
  for (int i = 0; i < kNumTimes; ++i) asm volatile(".rept 100\n\trol $1, %0\n\t.endr" : "+r"(x));
  return static_cast<double>(__rdtsc() - begin) / (kNumTimes * kChainLen);
}

template <typename Work>
double best_cycles(Work work) {
  double best = INFINITY;
  for (int i = 0; i < kNumRuns || std::isinf(best); ++i) {
    const double before = ticks_per_cycle();
    const std::uint64_t begin = __rdtsc();
    work();
    const auto ticks = static_cast<double>(__rdtsc() - begin);
    const double after = ticks_per_cycle();
    if (std::abs(after - before) > kSteady * before && i < 10 * kNumRuns) continue;
    best = std::min(best, 2 * ticks / (before + after));
  }
  return best;
}

}  // namespace

double cycles_per_block(const Backend& usable) {
  static const Data data{};
  if (usable.lanes == 1) {
    State state = init();
    return best_cycles([&] { usable.block(state.h.data(), data.data(), kNumBlocks); }) / kNumBlocks;
  }
  LaneState lanes{};
  const double cycles = best_cycles([&] {
    for (auto& next : lanes.next) next = data.data();
    usable.lane(&lanes, kNumBlocks);
  });
  return cycles / static_cast<double>(kNumBlocks * usable.lanes);
}

}  // namespace gate96::sha1
