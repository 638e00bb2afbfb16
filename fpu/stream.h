// SPDX-License-Identifier: BSD-3-Clause
// The repeatable stream of arrivals: what each receive burst finds the CPU doing.
#pragma once

#include <array>
#include <cstdint>

#include "fpu/settings.h"

namespace gate96::fpu {

/// Uniform numbers from a seed (splitmix64: G. Steele, D. Lea, C. Flood, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(double probability) { return unit() < probability; }

 private:
  std::uint64_t state_;
};

enum class ArrivalKind : std::uint8_t { kTask, kKsoftirqd, kUser, kIdle, kKernel };
inline constexpr std::size_t kNumArrivalKinds = 5;

struct Draw {
  ArrivalKind kind;
  bool live;            // the user task under it has used FP since the last arrival
  bool in_section;      // kKernel only
  double section_left;  // 0..1: the part of that section still to come
};

/// Equal settings, seed and worker give an equal stream. Every draw takes the same number of random numbers,
/// so that streams of two workloads stay in step.
class Stream {
 public:
  Stream(const Workload& workload, std::uint64_t seed, unsigned worker);
  Draw next();

 private:
  Random random_;
  std::array<double, kNumArrivalKinds> up_to_{};  // cumulated shares
  double live_;
  double in_section_;
};

}  // namespace gate96::fpu
