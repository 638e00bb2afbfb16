// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/compare.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gate96::bench {
namespace {

Row row(std::size_t size, double ns, double half_interval) {
  return {.bench = "sha1",
          .backend = "avx",
          .rival = "openssl",
          .size = {.bytes = size},
          .ns = ns,
          .q1_ns = ns - half_interval,
          .q3_ns = ns + half_interval};
}

TEST(Compare, SlowerBeyondThresholdWithIntervalsApart) {
  const Row before[] = {row(64, 100, 1)};
  const Row after[] = {row(64, 106, 1)};
  const Comparison result = compare(before, after, 0.05);
  ASSERT_EQ(result.slower.size(), 1u);
  EXPECT_NEAR(result.slower[0].percent(), 6, 1e-9);
  EXPECT_NE(to_text(result).find("slower: sha1 avx against openssl n=1 size=64 update=0"), std::string::npos);
}

TEST(Compare, WithinThresholdIsUnchanged) {
  const Row before[] = {row(64, 100, 1)};
  const Row after[] = {row(64, 104, 1)};
  const Comparison result = compare(before, after, 0.05);
  EXPECT_TRUE(result.slower.empty());
  EXPECT_EQ(result.unchanged, 1u);
}

TEST(Compare, OverlappingIntervalsAreUnchanged) {
  const Row before[] = {row(64, 100, 10)};
  const Row after[] = {row(64, 115, 10)};
  EXPECT_TRUE(compare(before, after, 0.05).slower.empty());
}

TEST(Compare, FasterIsToldButHarmless) {
  const Row before[] = {row(64, 100, 1)};
  const Row after[] = {row(64, 80, 1)};
  const Comparison result = compare(before, after, 0.05);
  EXPECT_TRUE(result.slower.empty());
  EXPECT_EQ(result.faster.size(), 1u);
}

TEST(Compare, RowsOfOneRunOnlyAreNamed) {
  const Row before[] = {row(64, 100, 1), row(256, 200, 1)};
  const Row after[] = {row(1024, 700, 1), row(64, 100, 1)};
  const Comparison result = compare(before, after, 0.05);
  EXPECT_EQ(result.unchanged, 1u);
  EXPECT_EQ(result.missing, std::vector<std::string>{row(256, 0, 0).identity()});
  EXPECT_EQ(result.added, std::vector<std::string>{row(1024, 0, 0).identity()});
}

TEST(Compare, ThresholdIsPercentOrFraction) {
  EXPECT_DOUBLE_EQ(parse_threshold("5%"), 0.05);
  EXPECT_DOUBLE_EQ(parse_threshold("0.05"), 0.05);
  for (const char* wrong : {"", "%", "five", "5 %", "-1%", "5%%"}) {
    EXPECT_THROW((void)parse_threshold(wrong), std::invalid_argument) << wrong;
  }
}

}  // namespace
}  // namespace gate96::bench
