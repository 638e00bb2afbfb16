// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/stream.h"

#include <gtest/gtest.h>

#include <vector>

namespace gate96::fpu {
namespace {

std::vector<Draw> draws(const Workload& workload, std::uint64_t seed, unsigned worker, int num) {
  Stream stream(workload, seed, worker);
  std::vector<Draw> out;
  for (int i = 0; i < num; ++i) out.push_back(stream.next());
  return out;
}

bool equal(const std::vector<Draw>& a, const std::vector<Draw>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].kind != b[i].kind || a[i].live != b[i].live || a[i].in_section != b[i].in_section ||
        a[i].section_left != b[i].section_left) {
      return false;
    }
  }
  return a.size() == b.size();
}

/// The first outputs of splitmix64 from state 1234567, as its authors' C code gives them.
TEST(Random, IsSplitmix64) {
  Random random(1234567);
  for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                       4593380528125082431u, 16408922859458223821u}) {
    EXPECT_EQ(random.next(), expected);
  }
}

TEST(Stream, RepeatsBySeedAndWorker) {
  const Workload mixed = presets().back().workload;
  EXPECT_TRUE(equal(draws(mixed, 7, 0, 1000), draws(mixed, 7, 0, 1000)));
  EXPECT_FALSE(equal(draws(mixed, 7, 0, 1000), draws(mixed, 8, 0, 1000)));
  EXPECT_FALSE(equal(draws(mixed, 7, 0, 1000), draws(mixed, 7, 1, 1000)));
}

TEST(Stream, SharesComeOutAsSet) {
  constexpr int kNum = 100000;
  constexpr double kNear = 0.01;
  for (const Preset& preset : presets()) {
    const Workload& w = preset.workload;
    std::array<double, kNumArrivalKinds> got{};
    double live = 0, in_section = 0;
    for (const Draw& draw : draws(w, 1, 0, kNum)) {
      got[static_cast<std::size_t>(draw.kind)] += 1.0 / kNum;
      live += draw.live ? 1.0 / kNum : 0;
      in_section += draw.in_section ? 1.0 / kNum : 0;
    }
    const double shares[] = {w.task, w.ksoftirqd, w.user, w.idle, w.kernel};
    double sum = 0;
    for (const double share : shares) sum += share;
    for (std::size_t i = 0; i < kNumArrivalKinds; ++i)
      EXPECT_NEAR(got[i], shares[i] / sum, kNear) << preset.name;
    EXPECT_NEAR(live, w.live, kNear) << preset.name;
    EXPECT_NEAR(in_section, w.in_section * w.kernel / sum, kNear) << preset.name;
  }
}

TEST(Stream, SharesAreWeights) {
  Workload a{.user = 1, .kernel = 3, .live = 0.5}, b{.user = 0.25, .kernel = 0.75, .live = 0.5};
  EXPECT_TRUE(equal(draws(a, 3, 0, 1000), draws(b, 3, 0, 1000)));
}

TEST(Stream, ASectionLiesUnderKernelArrivalsOnly) {
  Workload workload = presets().back().workload;
  workload.in_section = 1;
  for (const Draw& draw : draws(workload, 5, 0, 1000))
    EXPECT_EQ(draw.in_section, draw.kind == ArrivalKind::kKernel);
}

}  // namespace
}  // namespace gate96::fpu
