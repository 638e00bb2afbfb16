// SPDX-License-Identifier: BSD-3-Clause
// Why a profile says no, and what can go wrong with a section. Both are counted by kind.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gate96::fpu {

enum class Refusal : std::uint8_t {
  kGranted,
  kNever,      // profile `never`
  kLiveState,  // interrupted kernel code, and the registers hold a task's state (or TS is clear)
  kNotOwned,   // linux-3.10-eager: the interrupted task owns nothing, which looks like a section under way
  kInSection,  // interrupted code is inside a section
  kHardirq,    // hardirq on top of a softirq
  kNmi,
  kSmall,        // below scalar_below: not worth a section
  kSwitchedOff,  // simd_off_rate, or SIMD disabled for a test
};
inline constexpr std::size_t kNumRefusals = 9;
inline constexpr std::array<std::string_view, kNumRefusals> kRefusalNames{
    "granted", "never", "live-state", "not-owned", "in-section", "hardirq", "nmi", "small", "switched-off"};

enum class Violation : std::uint8_t {
  kNone,
  kNotGranted,  // begin although the rule says no
  kNested,      // begin inside a section, where the rule cannot see it (4.8 to 5.2)
  kInnerEnd,    // an inner end took the registers away from the outer section (2.6.39, 3.3, 3.10-eager)
  kEndWithoutBegin,
  kIrqsChanged,      // interrupts off at begin and on at end, or the other way round (6.15)
  kTooDeep,          // sparc64: an eighth level of nesting
  kSwitchInSection,  // the scheduler ran inside a section
};
inline constexpr std::size_t kNumViolations = 8;
inline constexpr std::array<std::string_view, kNumViolations> kViolationNames{
    "none",         "not-granted", "nested",           "inner-end", "end-without-begin",
    "irqs-changed", "too-deep",    "switch-in-section"};

}  // namespace gate96::fpu
