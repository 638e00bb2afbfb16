// SPDX-License-Identifier: BSD-3-Clause
#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

using WrongFpu = WrongConfig;

TEST_P(WrongFpu, says) {
  // The edit's `to` is the body of an [fpu] table.
  Edit edit = GetParam();
  const std::string table = "[fpu]\n" + std::string(edit.to) + "\n[[port]]";
  edit.to = table;
  check(edit);
}

const Edit kEdits[] = {
    {"profile",
     "[[port]]",
     "profile = \"linux-2.6\"",
     {"gw.toml:5: fpu.profile = \"linux-2.6\": must be \"always\", \"never\", \"linux-2.6.39\", "
      "\"linux-3.3\", \"linux-3.10-eager\", "
      "\"linux-4.8\", \"linux-4.14\", \"linux-5.2\", \"linux-5.18\", \"linux-6.15\" or \"sparc64-vis\""}},
    {"eager",
     "[[port]]",
     "eager = false",
     {"gw.toml:5: fpu.eager = false: must stand beside profile \"linux-4.8\", the only one that has both "
      "ways"}},
    {"ask",
     "[[port]]",
     "ask = \"byte\"",
     {"gw.toml:5: fpu.ask = \"byte\": must be \"burst\", \"packet\" or \"call\""}},
    {"call_and_defer",
     "[[port]]",
     "ask = \"call\"\nfallback = \"defer\"",
     {"gw.toml:5: fpu.ask = \"call\": must not be \"call\" with fallback \"defer\": a packet that has begun "
      "cannot be deferred"}},
    {"section_bytes",
     "[[port]]",
     "section_bytes = 63",
     {"gw.toml:5: fpu.section_bytes = 63: must be 0 (no limit) or at least 64, a block"}},
    {"defer_to_nobody",
     "[[port]]",
     "defer_to = \"lcores\"",
     {"gw.toml:5: fpu.defer_to = \"lcores\": needs gateway.workers = 2 or more, which is 1: there is no "
      "other "
      "worker to defer to; or set \"self\""}},
    {"queue_limit",
     "[[port]]",
     "queue_limit = 0",
     {"gw.toml:5: fpu.queue_limit = 0: must be 1..65536 (requests)"}},
    {"workload",
     "[[port]]",
     "workload = \"router\"",
     {"gw.toml:5: fpu.workload = \"router\": must be \"gateway\", \"sender\", \"busy-user\", "
      "\"busy-user-fpu\" or \"mixed\""}},
    {"share",
     "[[port]]",
     "share_live = 1.5",
     {"gw.toml:5: fpu.share_live = 1.5: must be a number from 0 to 1"}},
    {"share_type",
     "[[port]]",
     "share_task = \"half\"",
     {"gw.toml:5: fpu.share_task = \"half\": must be a number from 0 to 1000000"}},
    {"share_nan",
     "[[port]]",
     "share_task = nan",
     {"gw.toml:5: fpu.share_task = nan: must be a number from 0 to 1000000"}},
    {"no_share",
     "[[port]]",
     "share_ksoftirqd = 0\nshare_idle = 0\nshare_kernel = 0.0",
     {"gw.toml:4: fpu: share_* = 0: at least one kind of arrival needs a share"}},
    {"unknown",
     "[[port]]",
     "work_load = \"mixed\"",
     {"gw.toml:5: fpu.work_load = \"mixed\": unknown key; did you mean \"workload\"?"}},
};

INSTANTIATE_TEST_SUITE_P(all, WrongFpu, testing::ValuesIn(kEdits), edit_name);

TEST(GoodFpu, every_key) {
  const std::string table =
      "workers = 2\n[fpu]\nprofile = \"linux-4.8\"\neager = false\nask = \"packet\"\nfallback = "
      "\"defer\"\nsection_bytes "
      "= 4096\n"
      "scalar_below = 288\nsave_cost = \"count\"\nsave_components = \"backend\"\nqueue_limit = 100\nbacklog "
      "= true\n"
      "order = \"kernel\"\ndefer_to = \"lcores\"\ndefer_budget = 1\nworkload = \"mixed\"\nshare_task = "
      "1\nshare_ksoftirqd = 2\n"
      "share_user = 3\nshare_idle = 4\nshare_kernel = 5\nshare_live = 0.5\nlive_components = "
      "\"avx512\"\nshare_in_section = 1\n"
      "switches_per_second = 7\nseed = 9\nsimd_off_rate = 0.25\nsection_ns = 100\n[[port]]";
  const auto config = parse_config(edited({"", "[[port]]", table, {}}), "gw.toml");
  ASSERT_TRUE(config) << to_json(config.diagnostics());
  const fpu::FpuConfig& fpu = config.value().fpu;
  EXPECT_EQ(fpu.profile, "linux-4.8");
  EXPECT_FALSE(fpu.eager);
  EXPECT_EQ(fpu.ask, fpu::Ask::kPacket);
  EXPECT_EQ(fpu.fallback, fpu::Fallback::kDefer);
  EXPECT_EQ(fpu.section_bytes, 4096U);
  EXPECT_EQ(fpu.scalar_below, 288U);
  EXPECT_EQ(fpu.save_cost, fpu::SaveCost::kCount);
  EXPECT_EQ(fpu.save_components, fpu::SaveComponents::kBackend);
  EXPECT_EQ(fpu.queue_limit, 100U);
  EXPECT_TRUE(fpu.backlog);
  EXPECT_EQ(fpu.order, fpu::Order::kKernel);
  EXPECT_EQ(fpu.defer_to, fpu::DeferTo::kLcores);
  EXPECT_EQ(fpu.defer_budget, 1U);
  EXPECT_EQ(fpu.workload, "mixed");
  const fpu::Workload workload = fpu::workload_of(fpu);
  EXPECT_EQ(workload.task, 1);
  EXPECT_EQ(workload.ksoftirqd, 2);
  EXPECT_EQ(workload.user, 3);
  EXPECT_EQ(workload.idle, 4);
  EXPECT_EQ(workload.kernel, 5);
  EXPECT_EQ(workload.live, 0.5);
  EXPECT_EQ(workload.components, fpu::Width::kAvx512);
  EXPECT_EQ(workload.in_section, 1);
  EXPECT_EQ(workload.switches_per_second, 7);
  EXPECT_EQ(fpu.seed, 9U);
  EXPECT_EQ(fpu.simd_off_rate, 0.25);
  EXPECT_EQ(fpu.section_ns, 100U);
}

}  // namespace
}  // namespace gate96::test
