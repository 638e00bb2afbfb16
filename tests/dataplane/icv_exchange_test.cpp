// SPDX-License-Identifier: BSD-3-Clause
// fpu.defer_to = "lcores": the ICVs of deferred packets are computed by another worker, and nothing else
// changes.
#include "dataplane/icv_exchange.h"

#include <fmt/format.h>

#include <atomic>
#include <thread>

#include "tests/dataplane/policed_site.h"

namespace gate96::test {
namespace {

constexpr std::string_view kDefer = "profile = \"never\"\nfallback = \"defer\"\ndefer_to = \"lcores\"\n";

/// Workers, profile, and how to ask and fall back.
using Policy = std::tuple<unsigned, std::string_view, std::string_view>;

class Exchange : public testing::TestWithParam<Policy> {
 protected:
  static unsigned num_workers() { return std::get<0>(GetParam()); }
  static std::string settings() {
    const auto& [workers, profile, rest] = GetParam();
    return fmt::format(
        "save_cost = \"count\"\nsection_ns = 0\nprofile = \"{}\"\nworkload = \"mixed\"\nfallback = "
        "\"defer\"\n"
        "defer_to = \"lcores\"\n{}",
        profile, rest);
  }
};

TEST_P(Exchange, SealsTheSamePacketsInOrder) {
  PolicedSite site = PolicedSite::sender(settings(), num_workers());
  EXPECT_EQ(by_sa(site.run(kLan, frames())), by_sa(sealed()));
  EXPECT_EQ(site.balance(), 0);
  EXPECT_EQ(site.ended(Verdict::kHeld), 0U);
  EXPECT_EQ(site.sum(&fpu::Counters::reordered), 0U);
}

TEST_P(Exchange, OpensWhatOneWorkerOpensAndNothingForged) {
  std::vector<Frame> received = sealed();
  for (std::size_t i = 0; i < received.size(); i += 10) received[i].back() ^= 1;
  const std::vector<Frame> opened = PolicedSite::receiver("").run(kWan, received);
  PolicedSite site = PolicedSite::receiver(settings(), num_workers());
  EXPECT_EQ(sorted(site.run(kWan, received)), sorted(opened));
  EXPECT_EQ(site.ended(Verdict::kIcvBad), kNumFrames / 10);
  EXPECT_EQ(site.balance(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, Exchange,
    testing::Combine(testing::Values(2U, 3U), testing::ValuesIn(profile_names()),
                     testing::Values("simd_off_rate = 0.3", "defer_budget = 1",
                                     "ask = \"packet\"\nsimd_off_rate = 0.3",
                                     "section_bytes = 512\ndefer_budget = 256\nsimd_off_rate = 0.5")));

TEST(IcvExchange, TheOtherWorkerHashes) {
  PolicedSite site = PolicedSite::sender(std::string(kDefer), 2);
  // Those of the first worker's SAs only, so that the other one has no packets of its own.
  std::vector<Frame> own;
  for (std::size_t i = 0; i < frames().size(); ++i) {
    if (i % kNumSas != 1) own.push_back(frames()[i]);
  }
  EXPECT_EQ(site.run(kLan, own).size(), own.size());
  EXPECT_EQ(site.fpu(0).deferred.get(), own.size());
  EXPECT_EQ(site.fpu(0).scalar_bytes.get() + site.fpu(0).simd_bytes.get(), 0U);
  EXPECT_GT(site.fpu(1).scalar_bytes.get(), 0U);
  EXPECT_GT(site.fpu(1).drains.get(), 0U);
}

TEST(IcvExchange, OnePacketAndThenSilenceComesOutAfterTwoTurns) {
  PolicedSite site = PolicedSite::sender(std::string(kDefer), 2);
  site.receive(kLan, {frames()[0]});
  EXPECT_EQ(site.ended(Verdict::kHeld), 1U);
  site.turn();
  site.turn();
  EXPECT_EQ(site.sent(), std::vector<Frame>{sealed()[0]});
  EXPECT_FALSE(site.turn());
}

TEST(IcvExchange, WithoutOrderWhatIsNotDeferredOvertakes) {
  PolicedSite site = PolicedSite::sender(
      "simd_off_rate = 0.3\nfallback = \"defer\"\nask = \"packet\"\ndefer_to = \"lcores\"\n"
      "order = \"none\"\n",
      2);
  EXPECT_EQ(sorted(site.run(kLan, frames())), sorted(sealed()));
  EXPECT_GT(site.sum(&fpu::Counters::reordered), 0U);
}

TEST(IcvExchange, TheQueueLimitIsTheOwners) {
  PolicedSite site = PolicedSite::sender(std::string(kDefer) + "queue_limit = 50\n", 2);
  site.receive(kLan, frames());
  const std::size_t num_others = by_sa(sealed())[1].size();  // they wait in the hand-over ring
  EXPECT_EQ(site.ended(Verdict::kDeferFull), kNumFrames - num_others - 50);
  while (site.turn()) {
  }
  EXPECT_EQ(site.balance(), 0);
  EXPECT_EQ(site.ended(Verdict::kHeld), 0U);
}

TEST(IcvExchange, ABacklogTakesWhatIsAboveTheLimit) {
  PolicedSite site = PolicedSite::sender(std::string(kDefer) + "queue_limit = 50\nbacklog = true\n", 2);
  EXPECT_EQ(by_sa(site.run(kLan, frames(), kNumFrames)), by_sa(sealed()));
  EXPECT_GT(site.sum(&fpu::Counters::backlogged), 0U);
}

// Each thread receives for its own SAs, and stops while the other still needs it.
TEST(IcvExchange, StoppingWorkersFinishEachOthersPackets) {
  constexpr unsigned kNumWorkers = 2;
  PolicedSite site = PolicedSite::sender(std::string(kDefer) + "defer_budget = 1\n", kNumWorkers);
  const auto work = [&site](unsigned index) {
    for (std::size_t i = 0; i < frames().size(); ++i) {
      const std::size_t sa = i % kNumSas;
      if (sa % kNumWorkers == index) site.receive(kLan, {frames()[i]}, index);
      if (i % 7 == index) site.worker(index).drain(site.tables());
    }
    site.worker(index).stop();
  };
  std::thread other(work, 1U);
  work(0);
  other.join();
  EXPECT_EQ(by_sa(site.sent()), by_sa(sealed()));
  EXPECT_EQ(site.ended(Verdict::kHeld), 0U);
  EXPECT_EQ(site.balance(), 0);
}

// The new tables do not have the SAs that deferred packets, half of them at the other worker, wait for.
TEST(IcvExchange, ADeferredPacketLeavesThroughTheTablesThatTookIt) {
  PolicedSite site = PolicedSite::sender(std::string(kDefer) + "defer_budget = 10\n", 2);
  std::vector<Frame> own;
  for (std::size_t i = 0; own.size() < 20; i += kNumSas) own.push_back(frames()[i]);
  site.receive(kLan, own);
  site.worker(0).drain(site.tables());
  EXPECT_EQ(site.ended(Verdict::kHeld), 20U);
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) site.worker(1).drain(site.tables());
  });
  const Tables empty(Config{}, {});
  site.worker(0).enter(empty);
  done = true;
  other.join();
  EXPECT_EQ(site.sent(), PolicedSite::sender("").run(kLan, own));
  EXPECT_EQ(site.ended(Verdict::kHeld), 0U);
}

}  // namespace
}  // namespace gate96::test
