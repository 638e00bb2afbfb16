// SPDX-License-Identifier: BSD-3-Clause
// No backend reads a byte before or behind its blocks, or writes to them: messages lie against a page that
// may not be touched, in a page that may only be read.
#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "sha1/portable.h"
#include "tests/sha1/common.h"

namespace gate96::sha1 {
namespace {

constexpr std::size_t kLongest = 1100;

void make_read_only(const GuardedPage& page) {
  ASSERT_EQ(mprotect(page.begin(), static_cast<std::size_t>(page.end() - page.begin()), PROT_READ), 0);
}

TEST(Guard, EveryLengthAtTheEndOfAPage) {
  const std::vector<std::uint8_t> data = pattern(kLongest);
  const GuardedPage page;
  std::memcpy(page.end() - kLongest, data.data(), kLongest);
  make_read_only(page);
  for (const Backend* backend : single_streams()) {
    for (std::size_t len = 0; len <= kLongest; ++len) {
      const std::span<const std::uint8_t> tail(page.end() - len, len);
      ASSERT_EQ(digest(backend->block, tail), digest(generic, {data.data() + kLongest - len, len}))
          << backend->name << " at " << len;
    }
  }
}

TEST(Guard, EveryLengthAtTheHeadOfAPage) {
  const std::vector<std::uint8_t> data = pattern(kLongest);
  const GuardedPage page;
  std::memcpy(page.begin(), data.data(), kLongest);
  make_read_only(page);
  for (const Backend* backend : single_streams()) {
    for (std::size_t len = 0; len <= kLongest; ++len) {
      ASSERT_EQ(digest(backend->block, {page.begin(), len}), digest(generic, {data.data(), len}))
          << backend->name << " at " << len;
    }
  }
}

TEST(Guard, EveryLaneAtTheEndOfItsPage) {
  const std::vector<std::uint8_t> data = pattern(17 * kBlockLen);
  std::deque<GuardedPage> pages(kMaxLanes);
  for (const GuardedPage& page : pages) {
    std::memcpy(page.end() - data.size(), data.data(), data.size());
    make_read_only(page);
  }
  for (const Backend* backend : multi_buffers()) {
    for (std::size_t num_blocks = 1; num_blocks <= 17; ++num_blocks) {
      LaneState lanes;
      for (std::size_t lane = 0; lane < backend->lanes; ++lane) {
        set_lane(lanes, lane, init(), pages[lane].end() - num_blocks * kBlockLen);
      }
      backend->lane(&lanes, num_blocks);
      State expected = init();
      generic(expected.h.data(), data.data() + data.size() - num_blocks * kBlockLen, num_blocks);
      for (std::size_t lane = 0; lane < backend->lanes; ++lane) {
        ASSERT_EQ(lane_state(lanes, lane).h, expected.h) << backend->name << ", lane " << lane;
      }
    }
  }
}

TEST(Guard, LanesBeyondABackendsAreNeitherReadNorWritten) {
  const std::vector<std::uint8_t> data = pattern(2 * kBlockLen);
  constexpr State kMark{{1, 2, 3, 4, 5}};
  for (const Backend* backend : multi_buffers()) {
    LaneState lanes;
    for (std::size_t lane = 0; lane < kMaxLanes; ++lane) set_lane(lanes, lane, kMark, nullptr);
    for (std::size_t lane = 0; lane < backend->lanes; ++lane) set_lane(lanes, lane, init(), data.data());
    backend->lane(&lanes, 2);
    for (std::size_t lane = backend->lanes; lane < kMaxLanes; ++lane) {
      EXPECT_EQ(lane_state(lanes, lane).h, kMark.h) << backend->name << ", lane " << lane;
      EXPECT_EQ(lanes.next[lane], nullptr) << backend->name << ", lane " << lane;
    }
  }
}

}  // namespace
}  // namespace gate96::sha1
