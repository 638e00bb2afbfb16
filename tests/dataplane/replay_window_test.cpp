// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/replay_window.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace gate96 {
namespace {

/// RFC 4303 3.4.3 in its plainest form: everything ever accepted is remembered.
class SetModel {
 public:
  explicit SetModel(unsigned window) : window_(window) {}
  ReplayCheck update(std::uint64_t seq) {
    const std::uint64_t top = seen_.empty() ? 0 : *seen_.rbegin();
    if (seq == 0 || seen_.contains(seq))
      return seq <= top && top - seq >= window_ ? old(seq) : ReplayCheck::kSeen;
    if (seq <= top && top - seq >= window_) return ReplayCheck::kTooOld;
    seen_.insert(seq);
    return ReplayCheck::kFresh;
  }

 private:
  static ReplayCheck old(std::uint64_t seq) { return seq == 0 ? ReplayCheck::kSeen : ReplayCheck::kTooOld; }
  unsigned window_;
  std::set<std::uint64_t> seen_;
};

std::vector<ReplayCheck> feed(ReplayWindow& window, const std::vector<std::uint64_t>& seqs) {
  std::vector<ReplayCheck> results;
  for (const std::uint64_t seq : seqs) results.push_back(window.update(seq));
  return results;
}

constexpr auto kFresh = ReplayCheck::kFresh;
constexpr auto kSeen = ReplayCheck::kSeen;
constexpr auto kTooOld = ReplayCheck::kTooOld;

TEST(ReplayWindow, JumpsByTheWindowAndMoreLeaveNoStaleBits) {
  for (const unsigned size : {32u, 64u}) {
    for (const std::uint64_t jump : {std::uint64_t{size}, std::uint64_t{1000}}) {
      ReplayWindow window(size);
      feed(window, {1, 5, 10});
      EXPECT_EQ(window.update(10 + jump), kFresh);
      for (std::uint64_t seq = 10 + jump - size + 1; seq < 10 + jump; ++seq)
        EXPECT_EQ(window.check(seq), kFresh);
      EXPECT_EQ(window.check(10 + jump), kSeen);
      EXPECT_EQ(window.check(10), kTooOld);
    }
  }
}

TEST(ReplayWindow, TakesAnOlderNumberOnceAndNotTwice) {
  ReplayWindow window(32);
  EXPECT_EQ(feed(window, {40, 30, 30}), (std::vector{kFresh, kFresh, kSeen}));
}

TEST(ReplayWindow, EdgeOfWindow64At100) {
  ReplayWindow window(64);
  window.update(100);
  EXPECT_EQ(window.check(37), kFresh);
  EXPECT_EQ(window.check(36), kTooOld);
}

TEST(ReplayWindow, EveryBitOfAWordIsRecorded) {
  ReplayWindow window(64);
  for (std::uint64_t seq = 1; seq <= 96; ++seq) EXPECT_EQ(window.update(seq), kFresh);
  for (std::uint64_t seq = 33; seq <= 96; ++seq) EXPECT_EQ(window.update(seq), kSeen) << seq;
}

TEST(ReplayWindow, ZeroIsNeverFresh) {
  ReplayWindow window(64);
  EXPECT_EQ(window.check(0), kSeen);
  EXPECT_EQ(window.update(0), kSeen);
  EXPECT_EQ(window.update(1), kFresh);
}

TEST(ReplayWindow, CheckAloneMovesNothing) {
  ReplayWindow window(64);
  window.update(10);
  EXPECT_EQ(window.check(0x7fffffff), kFresh);
  EXPECT_EQ(window.update(11), kFresh);
  EXPECT_EQ(window.top(), 11u);
}

TEST(ReplayWindow, StartsAboveAnyNumber) {
  for (const std::uint64_t top : {0ull, 62ull, 63ull, 64ull, 99ull, 0xffffffffull, 0x1'0000'0000ull}) {
    ReplayWindow window(64);
    window.start_above(top);
    for (std::uint64_t seq = top > 200 ? top - 200 : 0; seq <= top; ++seq)
      EXPECT_NE(window.check(seq), kFresh) << top;
    for (std::uint64_t seq = top + 300; seq > top + 236; --seq) EXPECT_EQ(window.update(seq), kFresh) << seq;
    EXPECT_EQ(window.check(top), top == 0 ? kSeen : kTooOld);
  }
}

TEST(ReplayWindow, StartedAboveTakesEveryLaterNumberOnce) {
  ReplayWindow window(128);
  window.start_above(99);
  for (std::uint64_t seq = 100; seq < 1000; ++seq) EXPECT_EQ(window.update(seq), kFresh) << seq;
  for (std::uint64_t seq = 873; seq < 1000; ++seq) EXPECT_EQ(window.update(seq), kSeen) << seq;
}

TEST(ReplayWindow, IsRestoredExactly) {
  ReplayWindow before(64), after(64), other(1024);
  feed(before, {100, 90, 70});
  ASSERT_TRUE(after.restore(before.top(), before.words()));
  EXPECT_EQ(feed(after, {100, 90, 70, 91, 36, 37}),
            (std::vector{kSeen, kSeen, kSeen, kFresh, kTooOld, kFresh}));
  EXPECT_FALSE(other.restore(before.top(), before.words()));
}

TEST(ReplayWindow, WindowZeroTakesEverything) {
  ReplayWindow window(0);
  EXPECT_EQ(feed(window, {0, 7, 7, 3}), (std::vector{kFresh, kFresh, kFresh, kFresh}));
}

TEST(ReplayWindow, AgreesWithASetOverRandomHistories) {
  std::mt19937_64 random(96);
  for (const unsigned size : {32u, 33u, 63u, 64u, 65u, 100u, 127u, 128u, 1000u, 4096u, 65535u, 65536u}) {
    for (const std::uint64_t start : {std::uint64_t{1}, (std::uint64_t{1} << 32) - 500}) {
      ReplayWindow window(size);
      SetModel model(size);
      std::uint64_t top = start;
      for (int i = 0; i < 4000; ++i) {
        const std::uint64_t reach = random() % 4 == 0 ? 3 * size : 40;
        const std::uint64_t forward = random() % 3 == 0 ? random() % reach : 0;
        const std::uint64_t back = random() % (size + 40);
        const std::uint64_t seq = forward > 0 ? top + forward : top > back ? top - back : 1;
        ASSERT_EQ(window.update(seq), model.update(seq))
            << "window " << size << " seq " << seq << " top " << top;
        top = std::max(top, seq);
      }
    }
  }
}

TEST(InferEsn, FollowsAppendixA2OfRfc4303) {
  constexpr std::uint64_t k32 = std::uint64_t{1} << 32;
  // Case A: the window within one subspace.
  EXPECT_EQ(infer_esn(5 * k32 + 1000, 64, 1001), 5 * k32 + 1001);
  EXPECT_EQ(infer_esn(5 * k32 + 1000, 64, 937), 5 * k32 + 937);  // left edge
  EXPECT_EQ(infer_esn(5 * k32 + 1000, 64, 936), 6 * k32 + 936);  // below it: the next subspace
  // Case B: it reaches into the one before.
  EXPECT_EQ(infer_esn(5 * k32 + 10, 64, 0xfffffff0), 4 * k32 + 0xfffffff0);
  EXPECT_EQ(infer_esn(5 * k32 + 10, 64, 11), 5 * k32 + 11);
  // Over the edge.
  EXPECT_EQ(infer_esn(k32 - 1, 64, 0), k32);
  // Nothing lies before 0.
  EXPECT_EQ(infer_esn(0, 64, 0xfffffff0), 0xfffffff0u);
}

TEST(InferEsn, FindsEveryNumberThatAWindowCanHold) {
  std::mt19937_64 random(4303);
  for (int i = 0; i < 20000; ++i) {
    const unsigned window = 32u << (random() % 12);
    const std::uint64_t top = (std::uint64_t{1} << 33) + random() % (std::uint64_t{1} << 33);
    const std::uint64_t seq = top - random() % window + random() % 100000;
    ASSERT_EQ(infer_esn(top, window, static_cast<std::uint32_t>(seq)), seq) << top << " " << window;
  }
}

}  // namespace
}  // namespace gate96
