// SPDX-License-Identifier: BSD-3-Clause
// The contract of lane functions (sha1/state.h): every row with lanes against the scalar block function.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "sha1/select.h"
#include "tests/hmac/hex.h"

namespace gate96::hmac {
namespace {

using sha1::Backend;
using sha1::LaneState;
using sha1::Selection;
using sha1::State;

class Lanes : public testing::Test {
 protected:
  Lanes() : data_(sha1::kMaxLanes * kSpan) {
    std::generate(data_.begin(), data_.end(), [this] { return static_cast<std::uint8_t>(random_()); });
    for (std::size_t lane = 0; lane < sha1::kMaxLanes; ++lane) {
      for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
        lanes_->h[word][lane] = expected_[lane].h[word] = static_cast<std::uint32_t>(random_());
      }
      lanes_->next[lane] = expected_next_[lane] = place(lane);
    }
  }

  // Somewhere in a lane's own data, at any alignment, with room for 8 blocks behind it.
  const std::uint8_t* place(std::size_t lane) {
    return data_.data() + lane * kSpan + random_() % (kSpan - 8 * 64);
  }

  void absorb(const Backend& backend, std::size_t num_blocks) {
    for (std::size_t lane = 0; lane < backend.lanes; ++lane) {
      Selection::instance().best_scalar()->block(expected_[lane].h.data(), expected_next_[lane], num_blocks);
      expected_next_[lane] += 64 * num_blocks;
    }
    backend.lane(lanes_.get(), num_blocks);
  }

  void expect_same(const Backend& backend) const {
    for (std::size_t lane = 0; lane < sha1::kMaxLanes; ++lane) {
      for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
        ASSERT_EQ(lanes_->h[word][lane], expected_[lane].h[word]) << backend.name << " lane " << lane;
      }
      ASSERT_EQ(lanes_->next[lane], expected_next_[lane]) << backend.name << " lane " << lane;
    }
  }

  static constexpr std::size_t kSpan = 1024;
  std::mt19937 random_{96};
  Bytes data_;
  std::unique_ptr<LaneState> lanes_ = std::make_unique<LaneState>();
  std::array<State, sha1::kMaxLanes> expected_{};
  std::array<const std::uint8_t*, sha1::kMaxLanes> expected_next_{};
};

TEST_F(Lanes, AbsorbAnyNumberOfBlocksAndLeaveOtherLanesAlone) {
  for (const Backend* backend : Selection::instance().with_lanes()) {
    for (std::size_t num_blocks : {0u, 1u, 2u, 3u, 5u, 8u, 1u, 0u, 4u}) {
      for (std::size_t lane = 0; lane < sha1::kMaxLanes; ++lane) {
        lanes_->next[lane] = expected_next_[lane] = place(lane);
      }
      absorb(*backend, num_blocks);
      expect_same(*backend);
    }
  }
}

TEST_F(Lanes, LookAheadStagesTheBlocksThatFollow) {
  for (const Backend* backend : Selection::instance().with_lanes()) {
    if (backend->lanes < 8) continue;
    lanes_->look_ahead = 1;
    for (int call = 0; call < 50; ++call) {
      std::array<const std::uint8_t*, sha1::kMaxLanes> after{};
      for (std::size_t lane = 0; lane < backend->lanes; ++lane)
        lanes_->after[lane] = after[lane] = place(lane);
      absorb(*backend, 1 + random_() % 4);
      std::copy_n(after.begin(), backend->lanes, expected_next_.begin());
      expect_same(*backend);
      ASSERT_EQ(lanes_->staged, 1u);
    }
    lanes_->look_ahead = 0;
    absorb(*backend, 2);
    expect_same(*backend);
    ASSERT_EQ(lanes_->staged, 0u);
  }
}

}  // namespace
}  // namespace gate96::hmac
