// SPDX-License-Identifier: BSD-3-Clause
// The section [fpu]: the kernel FPU policy to emulate, and the world around it.
#include <fmt/format.h>

#include "dataplane/config_draft.h"
#include "fpu/profile.h"

namespace gate96 {
namespace {

void read_policy_keys(TableReader& table, fpu::FpuConfig& config) {
  std::vector<std::string_view> profiles;
  for (const fpu::Profile* const profile : fpu::profiles()) profiles.push_back(profile->name);
  table.word("profile", profiles, config.profile);
  table.boolean("eager", config.eager);
  table.word("ask", fpu::kAskNames, config.ask);
  table.word("fallback", fpu::kFallbackNames, config.fallback);
  table.integer("section_bytes", Need::kOptional, config.section_bytes, 0, 1 << 30,
                "0: no limit; else at least 64");
  if (config.section_bytes != 0 && config.section_bytes < 64) {
    table.error("section_bytes", "must be 0 (no limit) or at least 64, a block");
  }
  table.integer("scalar_below", Need::kOptional, config.scalar_below, 0, 1 << 30, "bytes an ask");
  table.word("save_cost", fpu::kSaveCostNames, config.save_cost);
  table.word("save_components", fpu::kSaveComponentsNames, config.save_components);
  if (table.has("eager") && config.profile != "linux-4.8") {
    table.error("eager", "must stand beside profile \"linux-4.8\", the only one that has both ways");
  }
  if (config.ask == fpu::Ask::kCall && config.fallback == fpu::Fallback::kDefer) {
    table.error("ask",
                "must not be \"call\" with fallback \"defer\": a packet that has begun cannot be deferred");
  }
}

void read_deferral_keys(TableReader& table, unsigned workers, fpu::FpuConfig& config) {
  table.integer("queue_limit", Need::kOptional, config.queue_limit, 1, 65536, "requests");
  table.boolean("backlog", config.backlog);
  table.word("order", fpu::kOrderNames, config.order);
  table.word("defer_to", fpu::kDeferToNames, config.defer_to);
  if (config.defer_to == fpu::DeferTo::kLcores && workers < 2) {
    table.error("defer_to",
                fmt::format("needs gateway.workers = 2 or more, which is {}: there is no other worker "
                            "to defer to; or set \"self\"",
                            workers));
  }
  table.integer("defer_budget", Need::kOptional, config.defer_budget, 1, 256, "requests a drain");
}

void read_world_keys(TableReader& table, fpu::FpuConfig& config) {
  constexpr double kMaxShare = 1e6;
  std::vector<std::string_view> presets;
  for (const fpu::Preset& preset : fpu::presets()) presets.push_back(preset.name);
  table.word("workload", presets, config.workload);
  table.real("share_task", config.share_task, kMaxShare);
  table.real("share_ksoftirqd", config.share_ksoftirqd, kMaxShare);
  table.real("share_user", config.share_user, kMaxShare);
  table.real("share_idle", config.share_idle, kMaxShare);
  table.real("share_kernel", config.share_kernel, kMaxShare);
  table.real("share_live", config.share_live, 1);
  table.real("share_in_section", config.share_in_section, 1);
  table.real("switches_per_second", config.switches_per_second, 1e6);
  fpu::Width width{};
  if (table.word("live_components", fpu::kWidthNames, width)) config.live_components = width;
  std::optional<double> rate;
  if (table.real("simd_off_rate", rate, 1)) config.simd_off_rate = *rate;
  table.integer("seed", Need::kOptional, config.seed, 0, std::numeric_limits<std::int64_t>::max());
  table.integer("section_ns", Need::kOptional, config.section_ns, 0, 1'000'000'000);
}

}  // namespace

void read_fpu(TableReader& table, unsigned workers, fpu::FpuConfig& config) {
  read_policy_keys(table, config);
  read_deferral_keys(table, workers, config);
  read_world_keys(table, config);
  if (!table.ok()) return;
  if (const std::string fault = fpu::check(config); !fault.empty()) table.error("", fault);
}

}  // namespace gate96
