// SPDX-License-Identifier: BSD-3-Clause
// Keepalives (RFC 3948 4): kSiteConfig's SA in UDP sends one after each second of silence.
#include "dataplane/udp_encap.h"

#include <gtest/gtest.h>

#include "tests/dataplane/eal_environment.h"
#include "tests/dataplane/site.h"

namespace gate96 {
namespace {

constexpr std::size_t kUdpAt = sizeof(EtherHeader) + sizeof(Ipv4Header);

TEST(Keepalive, FillsSilenceAndNothingElse) {
  Site site(test_pool(), kSiteConfig);
  site.meet_neighbours();
  site.tick(500);
  EXPECT_TRUE(site.sent.empty());
  site.tick(1000);
  ASSERT_EQ(site.sent.size(), 1U);
  const Bytes& frame = site.sent.front();
  const Bytes expected = {4500 >> 8, 4500 & 0xff, 4500 >> 8, 4500 & 0xff, 0, 9, 0, 0, 0xff};
  ASSERT_GE(frame.size(), kUdpAt + expected.size());
  EXPECT_EQ(Bytes(frame.begin() + kUdpAt, frame.begin() + kUdpAt + 9), expected);
  site.tick(1900);
  site.receive(0, {framed(udp_datagram({10, 1, 0, 2}, {10, 3, 0, 5}, 100))});  // through that SA
  EXPECT_EQ(site.sent.size(), 2U);
  site.tick(2800);
  EXPECT_EQ(site.sent.size(), 2U);
  site.tick(2900);
  EXPECT_EQ(site.sent.size(), 3U);
  EXPECT_EQ(site.balance(), 0);
}

}  // namespace
}  // namespace gate96
