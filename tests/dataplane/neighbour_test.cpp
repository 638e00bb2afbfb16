// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/neighbour.h"

#include <gtest/gtest.h>

namespace gate96 {
namespace {

const IpAddress kPeer = *IpAddress::parse("192.0.2.7");
constexpr MacAddress kMac{{2, 0, 0, 0, 0, 7}};
constexpr MacAddress kOther{{2, 0, 0, 0, 0, 8}};

TEST(NeighbourTable, AsksThreeTimesASecondApartThenGivesUp) {
  NeighbourTable table;
  EXPECT_TRUE(table.use(0, kPeer, 0).ask);
  EXPECT_FALSE(table.use(0, kPeer, 999).ask);
  EXPECT_TRUE(table.use(0, kPeer, 1000).ask);
  EXPECT_TRUE(table.use(0, kPeer, 2000).ask);
  EXPECT_FALSE(table.use(0, kPeer, 2999).failed);
  EXPECT_TRUE(table.use(0, kPeer, 3000).failed);
  EXPECT_TRUE(table.use(0, kPeer, 3001).ask);  // a later packet starts over
}

TEST(NeighbourTable, KnowsAfterAnAnswerAndDoubtsAfterAWhile) {
  NeighbourTable table;
  table.use(0, kPeer, 0);
  EXPECT_TRUE(table.learn(0, kPeer, kMac, 10, false));
  ASSERT_NE(table.use(0, kPeer, 20).mac, nullptr);
  EXPECT_EQ(*table.use(0, kPeer, 20).mac, kMac);
  EXPECT_FALSE(table.use(0, kPeer, 10 + kFreshMs).ask);
  const auto doubted = table.use(0, kPeer, 11 + kFreshMs);
  EXPECT_TRUE(doubted.ask);  // but goes on meanwhile
  ASSERT_NE(doubted.mac, nullptr);
  EXPECT_EQ(*doubted.mac, kMac);
}

TEST(NeighbourTable, ForgetsANeighbourThatFellSilent) {
  NeighbourTable table;
  table.learn(0, kPeer, kMac, 0, true);
  std::uint64_t now = kFreshMs + 1;
  for (unsigned i = 0; i < kMaxAsks; ++i, now += kAskIntervalMs) EXPECT_TRUE(table.use(0, kPeer, now).ask);
  EXPECT_TRUE(table.use(0, kPeer, now).failed);
  EXPECT_EQ(table.use(0, kPeer, now + 1).mac, nullptr);
}

TEST(NeighbourTable, LearnsStrangersOnlyWhenToldTo) {
  NeighbourTable table;
  EXPECT_FALSE(table.learn(0, kPeer, kMac, 0, false));
  EXPECT_TRUE(table.learn(0, kPeer, kMac, 0, true));
  EXPECT_TRUE(table.learn(0, kPeer, kOther, 1, false));
  EXPECT_EQ(*table.use(0, kPeer, 2).mac, kOther);
}

TEST(NeighbourTable, FixedEntriesNeverChange) {
  NeighbourTable table;
  table.add_fixed(0, kPeer, kMac);
  table.learn(0, kPeer, kOther, 0, true);
  const auto route = table.use(0, kPeer, 10 * kFreshMs);
  EXPECT_EQ(*route.mac, kMac);
  EXPECT_FALSE(route.ask);
}

TEST(NeighbourTable, PortsAreSeparate) {
  NeighbourTable table;
  table.learn(0, kPeer, kMac, 0, true);
  EXPECT_EQ(table.use(1, kPeer, 0).mac, nullptr);
}

TEST(NeighbourTable, AScanCannotPushOutTheLiving) {
  NeighbourTable table;
  table.add_fixed(0, *IpAddress::parse("192.0.2.1"), kMac);
  auto address = [](unsigned i) {
    IpAddress a;
    a.bytes = {10, static_cast<std::uint8_t>(i >> 16), static_cast<std::uint8_t>(i >> 8),
               static_cast<std::uint8_t>(i)};
    return a;
  };
  for (unsigned i = 1; i < kMaxNeighbours; ++i) EXPECT_TRUE(table.use(0, address(i), 0).ask);
  EXPECT_TRUE(table.use(0, address(kMaxNeighbours), 1).failed);  // full, and all are in use
  EXPECT_EQ(table.entries().size(), kMaxNeighbours);
  EXPECT_TRUE(table.use(0, address(kMaxNeighbours), kUnusedMs + 1001).ask);  // the unused made room
  EXPECT_NE(table.use(0, *IpAddress::parse("192.0.2.1"), kUnusedMs + 1002).mac, nullptr);
}

}  // namespace
}  // namespace gate96
