// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/settings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fpu/profile.h"

namespace gate96::fpu {
namespace {

TEST(Settings, Defaults) {
  const FpuConfig config;
  EXPECT_EQ(check(config), "");
  EXPECT_EQ(config.profile, "always");
  EXPECT_EQ(config.ask, Ask::kBurst);
  EXPECT_EQ(config.fallback, Fallback::kScalar);
  EXPECT_EQ(config.section_bytes, 0u);
  EXPECT_EQ(config.scalar_below, 0u);
  EXPECT_EQ(config.save_cost, SaveCost::kReal);
  EXPECT_EQ(config.save_components, SaveComponents::kTask);
  EXPECT_EQ(config.queue_limit, 1000u);
  EXPECT_FALSE(config.backlog);
  EXPECT_EQ(config.order, Order::kSa);
  EXPECT_EQ(config.defer_to, DeferTo::kSelf);
  EXPECT_EQ(config.defer_budget, 32u);
  EXPECT_EQ(config.workload, "gateway");
  EXPECT_EQ(config.section_ns, 2000u);
}

TEST(Settings, FaultsNameKeyValueAndWhatWouldBeRight) {
  struct Case {
    std::function<void(FpuConfig&)> spoil;
    std::string_view key, value, right;
  };
  const Case cases[] = {
      {[](FpuConfig& c) { c.profile = "linux-9"; }, "profile", "linux-9", "linux-2.6.39"},
      {[](FpuConfig& c) { c.workload = "lazy"; }, "workload", "lazy", "busy-user-fpu"},
      {[](FpuConfig& c) { c.queue_limit = 0; }, "queue_limit", "0", "1 to 65536"},
      {[](FpuConfig& c) { c.queue_limit = 65537; }, "queue_limit", "65537", "1 to 65536"},
      {[](FpuConfig& c) { c.defer_budget = 0; }, "defer_budget", "0", "1 to 256"},
      {[](FpuConfig& c) { c.defer_budget = 257; }, "defer_budget", "257", "1 to 256"},
      {[](FpuConfig& c) { c.section_bytes = 63; }, "section_bytes", "63", "at least 64"},
      {[](FpuConfig& c) { c.simd_off_rate = 1.5; }, "simd_off_rate", "1.5", "0 to 1"},
      {[](FpuConfig& c) { c.simd_off_rate = std::nan(""); }, "simd_off_rate", "nan", "0 to 1"},
      {[](FpuConfig& c) { c.share_live = -0.5; }, "share_live", "-0.5", "0 to 1"},
      {[](FpuConfig& c) { c.share_in_section = 2; }, "share_in_section", "2", "0 to 1"},
      {[](FpuConfig& c) { c.share_user = -1; }, "share_user", "-1", "0 or more"},
      {[](FpuConfig& c) { c.switches_per_second = -1; }, "switches_per_second", "-1", "0 to"},
      {[](FpuConfig& c) { c.share_idle = c.share_ksoftirqd = c.share_kernel = 0; }, "share_*", "0",
       "needs a share"},
      {[](FpuConfig& c) { c.ask = Ask::kCall, c.fallback = Fallback::kDefer; }, "ask", "call", "defer"}};
  for (const Case& c : cases) {
    FpuConfig config;
    c.spoil(config);
    const std::string text = check(config);
    for (const std::string_view part : {c.key, c.value, c.right}) {
      EXPECT_NE(text.find(part), std::string::npos) << "\"" << text << "\" lacks " << part;
    }
  }
}

TEST(Settings, EveryProfileAndPresetIsAccepted) {
  for (const Profile* profile : profiles()) {
    for (const Preset& preset : presets()) {
      FpuConfig config;
      config.profile = profile->name;
      config.workload = preset.name;
      EXPECT_EQ(check(config), "");
    }
  }
  EXPECT_EQ(presets().size(), 5u);
}

TEST(Settings, OverridesReplaceThePresetsValues) {
  FpuConfig config;
  config.workload = "busy-user-fpu";
  const Workload preset = workload_of(config);
  EXPECT_EQ(preset.live, 1.0);
  config.share_task = 0.5;
  config.share_live = 0.25;
  config.live_components = Width::kAvx512;
  config.switches_per_second = 7;
  const Workload workload = workload_of(config);
  EXPECT_EQ(workload.task, 0.5);
  EXPECT_EQ(workload.live, 0.25);
  EXPECT_EQ(workload.components, Width::kAvx512);
  EXPECT_EQ(workload.switches_per_second, 7);
  EXPECT_EQ(workload.kernel, preset.kernel);
}

TEST(Settings, WordsOfTheConfiguration) {
  EXPECT_EQ(parse<Ask>(kAskNames, "packet"), Ask::kPacket);
  EXPECT_EQ(parse<Fallback>(kFallbackNames, "defer"), Fallback::kDefer);
  EXPECT_EQ(parse<SaveCost>(kSaveCostNames, "off"), SaveCost::kOff);
  EXPECT_EQ(parse<SaveComponents>(kSaveComponentsNames, "backend"), SaveComponents::kBackend);
  EXPECT_EQ(parse<Order>(kOrderNames, "none"), Order::kNone);
  EXPECT_EQ(parse<DeferTo>(kDeferToNames, "lcores"), DeferTo::kLcores);
  EXPECT_EQ(parse<Width>(kWidthNames, "avx512"), Width::kAvx512);
  EXPECT_EQ(parse<Ask>(kAskNames, "Burst"), std::nullopt);
}

}  // namespace
}  // namespace gate96::fpu
