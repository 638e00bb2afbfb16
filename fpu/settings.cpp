// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/settings.h"

#include <cmath>

#include "fpu/profile.h"

namespace gate96::fpu {
namespace {

using std::string;
using std::string_view;

constexpr std::array<Preset, 5> kPresets{{
    // A router without userland: nearly all work arrives over the idle task, some of it in ksoftirqd.
    {"gateway", {.ksoftirqd = 0.10, .idle = 0.88, .kernel = 0.02, .live = 0.01, .switches_per_second = 100}},
    // A host that sends: packets are authenticated in the sender's system call, acknowledgements arrive over
    // it.
    {"sender",
     {.task = 0.70,
      .ksoftirqd = 0.05,
      .user = 0.10,
      .idle = 0.05,
      .kernel = 0.10,
      .live = 0.20,
      .in_section = 0.01,
      .switches_per_second = 2000}},
    // Programs keep the CPU busy, few of them on vector registers.
    {"busy-user",
     {.ksoftirqd = 0.10,
      .user = 0.60,
      .kernel = 0.30,
      .live = 0.10,
      .in_section = 0.01,
      .switches_per_second = 1000}},
    // All of them on vector registers, and in the kernel about as often as outside it.
    {"busy-user-fpu",
     {.ksoftirqd = 0.05,
      .user = 0.45,
      .kernel = 0.50,
      .live = 1.0,
      .in_section = 0.02,
      .switches_per_second = 1000}},
    {"mixed",
     {.task = 0.20,
      .ksoftirqd = 0.20,
      .user = 0.20,
      .idle = 0.20,
      .kernel = 0.20,
      .live = 0.50,
      .in_section = 0.05,
      .switches_per_second = 5000}},
}};

template <class Range, class NameOf>
string listed(const Range& range, NameOf name_of) {
  string text;
  for (const auto& item : range) {
    if (!text.empty()) text += ", ";
    text += name_of(item);
  }
  return text;
}

string fault(string_view key, const string& value, const string& right) {
  return string(key) + " = " + value + ": " + right;
}

string check_names(const FpuConfig& config) {
  if (find_profile(config.profile) == nullptr) {
    return fault("profile", "\"" + config.profile + "\"",
                 "must be one of " + listed(profiles(), [](const Profile* p) { return p->name; }));
  }
  for (const Preset& preset : kPresets) {
    if (preset.name == config.workload) return {};
  }
  return fault("workload", "\"" + config.workload + "\"",
               "must be one of " + listed(kPresets, [](const Preset& p) { return p.name; }));
}

string check_number(string_view key, unsigned value, unsigned low, unsigned high) {
  if (value >= low && value <= high) return {};
  return fault(key, std::to_string(value), "must be " + std::to_string(low) + " to " + std::to_string(high));
}

string check_real(string_view key, const std::optional<double>& value, double high, string_view right) {
  if (!value || (std::isfinite(*value) && *value >= 0 && *value <= high)) return {};
  return fault(key, std::to_string(*value), string(right));
}

string check_shares(const FpuConfig& config) {
  constexpr string_view kWeight = "a share must be 0 or more";
  constexpr string_view kPart = "must be 0 to 1";
  const std::pair<string_view, const std::optional<double>&> weights[] = {
      {"share_task", config.share_task},
      {"share_ksoftirqd", config.share_ksoftirqd},
      {"share_user", config.share_user},
      {"share_idle", config.share_idle},
      {"share_kernel", config.share_kernel}};
  for (const auto& [key, value] : weights) {
    if (string text = check_real(key, value, 1e6, kWeight); !text.empty()) return text;
  }
  if (string text = check_real("share_live", config.share_live, 1, kPart); !text.empty()) return text;
  if (string text = check_real("share_in_section", config.share_in_section, 1, kPart); !text.empty())
    return text;
  if (string text =
          check_real("switches_per_second", config.switches_per_second, 1e6, "must be 0 to 1000000");
      !text.empty()) {
    return text;
  }
  const Workload workload = workload_of(config);
  const double sum = workload.task + workload.ksoftirqd + workload.user + workload.idle + workload.kernel;
  return sum > 0 ? "" : fault("share_*", "0", "at least one kind of arrival needs a share");
}

}  // namespace

string check(const FpuConfig& config) {
  if (string text = check_names(config); !text.empty()) return text;
  if (string text = check_number("queue_limit", config.queue_limit, 1, 65536); !text.empty()) return text;
  if (string text = check_number("defer_budget", config.defer_budget, 1, 256); !text.empty()) return text;
  if (config.section_bytes != 0 && config.section_bytes < 64) {
    return fault("section_bytes", std::to_string(config.section_bytes),
                 "must be 0 (unlimited) or at least 64");
  }
  if (string text = check_real("simd_off_rate", config.simd_off_rate, 1, "must be 0 to 1"); !text.empty()) {
    return text;
  }
  if (config.ask == Ask::kCall && config.fallback == Fallback::kDefer) {
    return fault("ask", "\"call\"",
                 "cannot be used with fallback = \"defer\": a packet that has begun cannot be deferred");
  }
  return check_shares(config);
}

std::span<const Preset> presets() {
  return kPresets;
}

Workload workload_of(const FpuConfig& config) {
  Workload workload;
  for (const Preset& preset : kPresets) {
    if (preset.name == config.workload) workload = preset.workload;
  }
  workload.task = config.share_task.value_or(workload.task);
  workload.ksoftirqd = config.share_ksoftirqd.value_or(workload.ksoftirqd);
  workload.user = config.share_user.value_or(workload.user);
  workload.idle = config.share_idle.value_or(workload.idle);
  workload.kernel = config.share_kernel.value_or(workload.kernel);
  workload.live = config.share_live.value_or(workload.live);
  workload.components = config.live_components.value_or(workload.components);
  workload.in_section = config.share_in_section.value_or(workload.in_section);
  workload.switches_per_second = config.switches_per_second.value_or(workload.switches_per_second);
  return workload;
}

}  // namespace gate96::fpu
