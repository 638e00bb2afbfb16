// SPDX-License-Identifier: BSD-3-Clause
// Backends keep to the ABI: callee-saved registers, the direction flag, and upper halves that are clean on
// return, without which legacy SSE code after it runs a hundred times slower.
#include <gtest/gtest.h>

#include "tests/sha1/common.h"

extern "C" {
unsigned gate96_test_call(void* function, void* arg1, const void* arg2, std::size_t arg3);
void gate96_test_clobber();
#if defined(__x86_64__)
unsigned gate96_test_dirty_upper_halves();
void gate96_test_soil();
void gate96_test_clean();
#endif
}

namespace gate96::sha1 {
namespace {

template <typename Fn>
unsigned broken_rules(Fn* function, void* arg1, const void* arg2, std::size_t arg3) {
  return gate96_test_call(reinterpret_cast<void*>(function), arg1, arg2, arg3);
}

TEST(Abi, TheCheckSeesWhatIsBroken) {
#if defined(__x86_64__)
  EXPECT_EQ(broken_rules(gate96_test_clobber, nullptr, nullptr, 0), 0b1011'1111u);
#else
  EXPECT_EQ(broken_rules(gate96_test_clobber, nullptr, nullptr, 0), 0b1000'1111u);
#endif
}

TEST(Abi, SingleStreams) {
  const std::vector<std::uint8_t> data = pattern(5 * kBlockLen);
  for (const Backend* backend : single_streams()) {
    for (std::size_t num_blocks : {0, 1, 2, 5}) {
      State state = init();
      EXPECT_EQ(broken_rules(backend->block, state.h.data(), data.data(), num_blocks), 0u)
          << backend->name << ", " << num_blocks << " blocks";
    }
  }
}

#if defined(__x86_64__)

void fill(LaneState& lanes, const std::vector<std::uint8_t>& data) {
  for (std::size_t lane = 0; lane < kMaxLanes; ++lane) set_lane(lanes, lane, init(), data.data());
}

TEST(Abi, MultiBuffers) {
  const std::vector<std::uint8_t> data = pattern(5 * kBlockLen);
  for (const Backend* backend : multi_buffers()) {
    for (std::size_t num_blocks : {0, 1, 2, 5}) {
      LaneState lanes;
      fill(lanes, data);
      const auto count = reinterpret_cast<const void*>(num_blocks);  // the second argument of a lane function
      EXPECT_EQ(broken_rules(backend->lane, &lanes, count, 0), 0u) << backend->name << ", " << num_blocks;
    }
  }
}

// Without AVX there are no upper halves: no backend that could soil them may be usable, and nothing is to be
// cleaned.
bool has_upper_halves() {
  return detect(read_cpu()).usable.has(Feature::kAvx);
}

void clean_upper_halves() {
  if (has_upper_halves()) gate96_test_clean();
}

unsigned dirty_upper_halves() {
  return has_upper_halves() ? gate96_test_dirty_upper_halves() : 0;
}

TEST(UpperHalves, TheCheckSeesDirt) {
  if (has_upper_halves()) gate96_test_soil();
  EXPECT_EQ(dirty_upper_halves(), has_upper_halves() ? 1u << 5 : 0u);
  clean_upper_halves();
  EXPECT_EQ(dirty_upper_halves(), 0u);
}

TEST(UpperHalves, BelongToCpusWithAvx) {
  for (const Backend* backend : Selection::instance().usable()) {
    const FeatureSet& needs = backend->needs;
    EXPECT_LE(needs.has(Feature::kAvx) || needs.has(Feature::kAvx2) || needs.has(Feature::kAvx512f),
              has_upper_halves())
        << backend->name;
  }
}

TEST(UpperHalves, AreCleanAfterEveryBackend) {
  const std::vector<std::uint8_t> data = pattern(5 * kBlockLen);
  for (const Backend* backend : Selection::instance().usable()) {
    for (std::size_t num_blocks : {1, 2, 5}) {
      State state = init();
      LaneState lanes;
      fill(lanes, data);
      clean_upper_halves();
      if (backend->lanes == 1) backend->block(state.h.data(), data.data(), num_blocks);
      if (backend->lanes > 1) backend->lane(&lanes, num_blocks);
      EXPECT_EQ(dirty_upper_halves(), 0u) << backend->name << ", " << num_blocks << " blocks";
    }
  }
}

#endif

}  // namespace
}  // namespace gate96::sha1
