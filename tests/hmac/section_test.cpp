// SPDX-License-Identifier: BSD-3-Clause
// The burst engine under an FPU policy: it asks, keeps to sections, and takes no for an answer.
#include <gtest/gtest.h>

#include "fpu/settings.h"
#include "tests/hmac/load.h"

namespace gate96::hmac {
namespace {

void fill(Load& load) {
  for (std::size_t i = 0; i < 24; ++i) load.add(50 * i);
}

TEST(Section, ARefusalLeavesTheWorkToScalarCode) {
  fpu::FpuConfig config;
  config.profile = "never";
  for (Burst& burst : all_engines()) {
    if (!burst.choice().is_vector()) continue;
    Load load;
    fill(load);
    fpu::Context fpu(config);
    burst.start(load.jobs());
    ASSERT_EQ(burst.run(fpu), Outcome::kRefused) << burst.choice().name();
    for (const Job& job : load.jobs()) EXPECT_EQ(job.icv, Icv{}) << burst.choice().name();
    ASSERT_EQ(burst.run_scalar(), Outcome::kDone);
    load.expect_right(burst.choice().name());
    EXPECT_EQ(fpu.counters().sections.get(), 0u);
  }
}

TEST(Section, EndsAfterItsBytesAndIsAskedForAnew) {
  fpu::FpuConfig config;
  config.section_bytes = 4096;
  for (Burst& burst : all_engines()) {
    if (!burst.choice().is_vector()) continue;
    Load load;
    fill(load);
    fpu::Context fpu(config);
    burst.start(load.jobs());
    ASSERT_EQ(burst.run(fpu), Outcome::kDone);
    load.expect_right(burst.choice().name());
    EXPECT_GE(fpu.counters().sections.get(), 13800u / 4096) << burst.choice().name();
    EXPECT_EQ(fpu.counters().asks.get(), fpu.counters().sections.get()) << burst.choice().name();
    constexpr std::size_t kOver = 2 * 16 * 64;  // a block a lane, and a group of outer hashes
    EXPECT_LE(fpu.counters().section_bytes_max.get(), 4096 + kOver) << burst.choice().name();
  }
}

TEST(Section, ScalarBackendsNeedNoLeave) {
  fpu::FpuConfig config;
  config.profile = "never";
  fpu::Context fpu(config);
  Burst burst(*BackendChoice::named("generic").choice);
  Load load;
  fill(load);
  burst.start(load.jobs());
  ASSERT_EQ(burst.run(fpu), Outcome::kDone);
  load.expect_right("generic");
  EXPECT_EQ(fpu.counters().asks.get(), 0u);
}

}  // namespace
}  // namespace gate96::hmac
