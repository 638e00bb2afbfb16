// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tools/bench/burst_load.h"

namespace gate96::bench {
namespace {

TEST(BurstLoad, FixedSizesAreOneBurst) {
  EXPECT_EQ(burst_lengths({.bytes = 256}, 5), std::vector<std::size_t>(5, 256));
}

TEST(BurstLoad, ImixHasSevenFourOneInWholeBursts) {
  for (std::size_t n : {1u, 8u, 24u, 32u, 256u}) {
    const std::vector<std::size_t> lengths = burst_lengths({.imix = true}, n);
    const auto count = [&](std::size_t len) { return std::count(lengths.begin(), lengths.end(), len); };
    EXPECT_EQ(lengths.size() % n, 0u);
    EXPECT_EQ(count(64), 7 * count(1418)) << n;
    EXPECT_EQ(count(594), 4 * count(1418)) << n;
    EXPECT_EQ(count(64) + count(594) + count(1418), static_cast<std::ptrdiff_t>(lengths.size()));
  }
}

TEST(BurstLoad, EveryPacketHasBytesAndAKeyOfItsOwn) {
  const BurstLoad load(Size{.bytes = 8192}, 256);
  ASSERT_EQ(load.packets().size(), 256u);
  for (std::size_t i = 1; i < load.packets().size(); ++i) {
    EXPECT_GE(load.packets()[i].data, load.packets()[i - 1].data + load.packets()[i - 1].len);
  }
  const std::set<std::array<std::uint8_t, kKeyLen>> keys(load.keys().begin(), load.keys().end());
  EXPECT_EQ(keys.size(), 256u);
}

TEST(BurstLoad, MeanLengthOfImix) {
  EXPECT_DOUBLE_EQ(BurstLoad(Size{.imix = true}, 8).mean_len(), (7 * 64 + 4 * 594 + 1418) / 12.0);
}

}  // namespace
}  // namespace gate96::bench
