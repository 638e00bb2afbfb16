// SPDX-License-Identifier: BSD-3-Clause
// The [fpu] table as plain values, with its defaults. The loader of the configuration fills it; check()
// judges it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fpu/components.h"

namespace gate96::fpu {

enum class Ask : std::uint8_t { kBurst, kPacket, kCall };
enum class Fallback : std::uint8_t { kScalar, kDefer };
enum class SaveCost : std::uint8_t { kReal, kCount, kOff };
enum class SaveComponents : std::uint8_t { kTask, kBackend };
enum class Order : std::uint8_t { kSa, kKernel, kNone };
enum class DeferTo : std::uint8_t { kSelf, kLcores };

// The words of the configuration, in the order of the enums.
inline constexpr std::array<std::string_view, 3> kAskNames{"burst", "packet", "call"};
inline constexpr std::array<std::string_view, 2> kFallbackNames{"scalar", "defer"};
inline constexpr std::array<std::string_view, 3> kSaveCostNames{"real", "count", "off"};
inline constexpr std::array<std::string_view, 2> kSaveComponentsNames{"task", "backend"};
inline constexpr std::array<std::string_view, 3> kOrderNames{"sa", "kernel", "none"};
inline constexpr std::array<std::string_view, 2> kDeferToNames{"self", "lcores"};
inline constexpr std::array<std::string_view, 3> kWidthNames{"sse", "avx", "avx512"};

/// The enum value that `word` stands for: parse<Ask>(kAskNames, "burst").
template <class Enum>
[[nodiscard]] std::optional<Enum> parse(std::span<const std::string_view> names, std::string_view word) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

/// What arrives on top of what. The five shares are weights; they need not add up to one.
struct Workload {
  double task = 0;  // in process context: a sender's system call
  double ksoftirqd = 0;
  double user = 0;    // softirq at the exit of an interrupt of user mode
  double idle = 0;    // of the idle task
  double kernel = 0;  // of a user task inside the kernel
  double live = 0;    // 0..1: of the arrivals with a user task running, it has used FP since the last one
  Width components = Width::kAvx;  // what such a task's state consists of
  double in_section = 0;           // 0..1: of the arrivals over kernel code, inside its vector section
  double switches_per_second = 0;  // between user tasks, by the clock
};

struct FpuConfig {
  std::string profile = "always";
  bool eager = true;  // linux-4.8 only
  Ask ask = Ask::kBurst;
  Fallback fallback = Fallback::kScalar;
  std::size_t section_bytes = 0;  // 0: unlimited
  std::size_t scalar_below = 0;   // an ask for fewer bytes is not worth a section
  SaveCost save_cost = SaveCost::kReal;
  SaveComponents save_components = SaveComponents::kTask;

  unsigned queue_limit = 1000;  // requests waiting, 1..65536
  bool backlog = false;
  Order order = Order::kSa;
  DeferTo defer_to = DeferTo::kSelf;
  unsigned defer_budget = 32;  // requests a drain, 1..256

  std::string workload = "gateway";
  // Each overrides the preset's value.
  std::optional<double> share_task;
  std::optional<double> share_ksoftirqd;
  std::optional<double> share_user;
  std::optional<double> share_idle;
  std::optional<double> share_kernel;
  std::optional<double> share_live;
  std::optional<Width> live_components;
  std::optional<double> share_in_section;
  std::optional<double> switches_per_second;

  std::uint64_t seed = 1;
  double simd_off_rate = 0;         // 0..1: of the asks, refused under any profile
  std::uint32_t section_ns = 2000;  // how long an interrupted task's section lasts

  bool operator==(const FpuConfig&) const = default;
};

/// Empty if `config` can be run; otherwise the first fault: key, value, and what would be right.
[[nodiscard]] std::string check(const FpuConfig& config);

struct Preset {
  std::string_view name;
  Workload workload;
};

/// gateway, sender, busy-user, busy-user-fpu, mixed.
[[nodiscard]] std::span<const Preset> presets();

/// The preset with the overrides put in. Precondition: check(config) is empty.
[[nodiscard]] Workload workload_of(const FpuConfig& config);

}  // namespace gate96::fpu
