// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/selftest.h"

#include <gtest/gtest.h>

#include "sha1/portable.h"
#include "sha1/report.h"
#include "tests/sha1/common.h"

namespace gate96::sha1 {
namespace {

// Absorbs the first of two blocks and more twice.
void stutters(std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks) {
  generic(state, blocks, num_blocks > 1 ? 1 : 0);
  generic(state, blocks, num_blocks);
}

// As a lane function of four lanes should, but for what `fault` spoils.
enum class Fault { kNone, kLastLane, kPointer, kWritesBeyond };

template <Fault fault>
void four_lanes(LaneState* lanes, std::size_t num_blocks) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    State state = lane_state(*lanes, lane);
    generic(state.h.data(), lanes->next[lane], num_blocks);
    set_lane(*lanes, lane, state, lanes->next[lane] + num_blocks * kBlockLen);
  }
  if (fault == Fault::kLastLane) lanes->h[4][3] ^= 1;
  if (fault == Fault::kPointer && num_blocks > 1) lanes->next[1] -= kBlockLen;
  if (fault == Fault::kWritesBeyond) lanes->h[0][4] = 0;
}

Backend single(std::string_view name, BlockFn block) {
  return {name, 1, {}, Registers::kScalar, block, nullptr, 1};
}
Backend lanes(std::string_view name, LaneFn lane) {
  return {name, 4, {}, Registers::kVector, nullptr, lane, 1};
}

TEST(SelfTest, EveryBackendOfThisMachinePasses) {
  EXPECT_GE(Selection::instance().usable().size(), 2u);
  for (const Candidate& c : Selection::instance().candidates()) {
    EXPECT_NE(c.self_test, SelfTest::kFailed) << c.backend->name << ": " << c.why_not;
    EXPECT_EQ(c.usable(), c.self_test == SelfTest::kPassed) << c.backend->name;
  }
}

TEST(SelfTest, FindsABrokenBlockFunction) {
  EXPECT_EQ(self_test(single("right", generic)), "");
  EXPECT_EQ(self_test(single("broken", stutters)), "wrong digest of message 0");
}

TEST(SelfTest, FindsABrokenLaneFunction) {
  EXPECT_EQ(self_test(lanes("right", four_lanes<Fault::kNone>)), "");
  EXPECT_EQ(self_test(lanes("last", four_lanes<Fault::kLastLane>)), "wrong digest in lane 3 with 4 live");
  EXPECT_EQ(self_test(lanes("pointer", four_lanes<Fault::kPointer>)), "wrong pointer in lane 1 with 2 live");
  EXPECT_EQ(self_test(lanes("beyond", four_lanes<Fault::kWritesBeyond>)), "lane 4 written");
}

class BrokenTable : public testing::Test {
 protected:
  BrokenTable() { selection_.run_self_test(); }

  std::vector<Backend> rows_ = {single("generic", generic), single("broken", stutters),
                                lanes("broken_x4", four_lanes<Fault::kLastLane>)};
  Selection selection_{rows_, Cpu{}};
};

TEST_F(BrokenTable, DisablesWhatFails) {
  EXPECT_EQ(selection_.best_scalar()->name, "generic");
  EXPECT_TRUE(selection_.with_lanes().empty());
  EXPECT_EQ(selection_.usable().size(), 1u);
}

TEST_F(BrokenTable, NamesItWhenForced) {
  const Found found = selection_.find("broken");
  EXPECT_EQ(found.backend, nullptr);
  EXPECT_TRUE(found.self_test_failed);
  EXPECT_EQ(found.error,
            "SHA-1 backend broken cannot run here: it failed its self-test: wrong digest of message 0");
}

TEST_F(BrokenTable, ReportsIt) {
  const std::vector<ReportRow> rows = report(selection_);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].self_test, "passed");
  EXPECT_GT(rows[0].cycles_per_block, 0);
  EXPECT_EQ(rows[2].name, "broken_x4");
  EXPECT_EQ(rows[2].lanes, 4u);
  EXPECT_TRUE(rows[2].vector);
  EXPECT_FALSE(rows[2].usable);
  EXPECT_EQ(rows[2].self_test, "failed");
  EXPECT_EQ(rows[2].why_not, "it failed its self-test: wrong digest in lane 3 with 4 live");
  EXPECT_EQ(rows[2].cycles_per_block, 0);
}

TEST(Report, ListsEveryRowWithItsNeeds) {
  const std::vector<ReportRow> rows = report(Selection(backends(), Cpu{}));
  ASSERT_EQ(rows.size(), backends().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].name, backends()[i].name);
    EXPECT_EQ(rows[i].needs.empty(), backends()[i].needs.empty()) << rows[i].name;
    EXPECT_EQ(rows[i].usable, backends()[i].needs.empty()) << rows[i].name;
    EXPECT_EQ(rows[i].self_test, "not run") << rows[i].name;
    EXPECT_GT(rows[i].code_bytes, 0u) << rows[i].name;
  }
}

}  // namespace
}  // namespace gate96::sha1
