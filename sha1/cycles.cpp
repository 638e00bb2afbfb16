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

using Data = std::array<std::uint8_t, kNumBlocks * kBlockLen>;

// Waits for what comes before: RDTSC alone may run ahead of several blocks.
std::uint64_t ticks_now() {
#if defined(__x86_64__)
  _mm_lfence();  // an i486 has none
#endif
  return __rdtsc();
}

// TSC ticks for a core cycle. Rotates, since a chain of additions may be folded at rename.
double ticks_per_cycle() {
  constexpr int kNumTimes = 50;
  constexpr int kChainLen = 100;
  std::uint32_t x = 1;
  const std::uint64_t begin = ticks_now();
  for (int i = 0; i < kNumTimes; ++i) asm volatile(".rept 100\n\trol $1, %0\n\t.endr" : "+r"(x));
  return static_cast<double>(ticks_now() - begin) / (kNumTimes * kChainLen);
}

// The clock may change and others may take the CPU: the shortest of many runs and the shortest of many chains
// both ran undisturbed at its highest speed.
template <typename Work>
double best_cycles(Work work) {
  double per_cycle = INFINITY;
  double ticks = INFINITY;
  for (int i = 0; i < kNumRuns; ++i) {
    per_cycle = std::min(per_cycle, ticks_per_cycle());
    const std::uint64_t begin = ticks_now();
    work();
    ticks = std::min(ticks, static_cast<double>(ticks_now() - begin));
  }
  return ticks / per_cycle;
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
