// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/adjacency.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gate96 {
namespace {

const IpAddress kPeer = *IpAddress::parse("192.0.2.7");
const rte_be32_t kPeerNumber = RTE_BE32(0xc0000207);
constexpr MacAddress kOwn{{2, 0, 0, 0, 0, 1}};
constexpr MacAddress kMac{{2, 0, 0, 0, 0, 7}};
constexpr MacAddress kOther{{2, 0, 0, 0, 0, 8}};

/// A table that knows kPeer since 0 ms, and a cache that has been told.
class Adjacency : public ::testing::Test {
 protected:
  Adjacency() {
    table.learn(0, kPeer, kMac, 0, true);
    cache.put(table, 0, kPeerNumber, *table.use(0, kPeer, 0).entry, kOwn);
  }
  [[nodiscard]] const EtherHeader* find(std::uint64_t now_ms) const {
    return cache.find(table, 0, kPeerNumber, now_ms);
  }

  NeighbourTable table;
  AdjacencyCache cache;
};

TEST_F(Adjacency, GivesTheWholeHeader) {
  const EtherHeader* header = find(1);
  ASSERT_NE(header, nullptr);
  EXPECT_TRUE(std::ranges::equal(header->dst, kMac.bytes));
  EXPECT_TRUE(std::ranges::equal(header->src, kOwn.bytes));
  EXPECT_EQ(header->type, RTE_BE16(0x0800));
}

TEST_F(Adjacency, IsOfOnePortAndAddress) {
  EXPECT_EQ(cache.find(table, 1, kPeerNumber, 1), nullptr);
  EXPECT_EQ(cache.find(table, 0, RTE_BE32(0xc0000208), 1), nullptr);
  EXPECT_EQ(AdjacencyCache().find(table, 0, kPeerNumber, 1), nullptr);
}

TEST_F(Adjacency, EndsWhenTheTableHasToAskAgain) {
  EXPECT_NE(find(kFreshMs), nullptr);
  EXPECT_EQ(find(kFreshMs + 1), nullptr);
  EXPECT_TRUE(table.use(0, kPeer, kFreshMs + 1).ask);
}

TEST_F(Adjacency, EndsWhenTheNeighbourHasAnotherMac) {
  table.learn(0, kPeer, kMac, 1, false);
  EXPECT_NE(find(2), nullptr);
  table.learn(0, kPeer, kOther, 3, false);
  EXPECT_EQ(find(4), nullptr);
}

TEST_F(Adjacency, CountsAsAUseSoThatTheEntryStays) {
  ASSERT_NE(find(kUnusedMs), nullptr);
  const auto fill = [&](std::uint64_t now_ms) {  // a scan of the link: every place is asked for
    for (std::uint32_t i = 0; i < 2 * kMaxNeighbours; ++i) {
      IpAddress other = *IpAddress::parse("10.0.0.0");
      other.bytes[2] = static_cast<std::uint8_t>(i >> 8);
      other.bytes[3] = static_cast<std::uint8_t>(i);
      table.use(0, other, now_ms);
    }
  };
  fill(kUnusedMs + 1);  // unused since 0 ms it would have gone
  EXPECT_TRUE(table.entries().contains({0, kPeer}));
  fill(3 * kUnusedMs);
  EXPECT_FALSE(table.entries().contains({0, kPeer}));
  EXPECT_EQ(find(3 * kUnusedMs), nullptr);
}

}  // namespace
}  // namespace gate96
