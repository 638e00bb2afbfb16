// SPDX-License-Identifier: BSD-3-Clause
// Keepalives (RFC 3948 4): kSiteConfig's SA in UDP sends one after each second of silence.
#include "dataplane/udp_encap.h"

#include <gtest/gtest.h>

#include "dataplane/config_load.h"
#include "dataplane/sa.h"
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

// A port on a wire has no address to send from, and frames without one must not go there.
TEST(Keepalive, LeavesFromTheRoutedPortThatHasTheAddress) {
  std::string text = "[gateway]\nstate_file = \"\"\n[[wire]]\nprotected = \"a\"\nunprotected = \"b\"\n";
  const auto port = [](const std::string& name, const std::string& role, const std::string& rest) {
    return "[[port]]\nname = \"" + name + "\"\ndevice = \"null\"\nrole = \"" + role + "\"\n" + rest;
  };
  text += port("a", "protected", "") + port("b", "unprotected", "") +
          port("lan", "protected", "addresses = [\"10.1.0.1/24\"]\n") +
          port("wan", "unprotected", "addresses = [\"192.0.2.1/24\"]\n");
  for (const std::string src : {"192.0.2.1", "198.51.100.7"}) {  // ours, and a host's beyond the wire
    const std::string name = "from-" + src;
    text += "[[sa]]\nname = \"" + name +
            "\"\ndirection = \"out\"\nspi = " + std::to_string(0x1000 + text.size()) +
            "\nmode = \"transport\"\nsrc = \"" + src + "\"\ndst = \"192.0.2.9\"\nudp_encap = true\nkey = \"" +
            std::string(40, '7') + "\"\n" + "[[policy]]\ndirection = \"out\"\nsrc = \"" + src +
            "\"\naction = \"protect\"\nsa = \"" + name + "\"\n";
  }
  auto config = parse_config(text, "nat.toml");
  ASSERT_TRUE(config) << to_json(config.diagnostics());
  const Tables tables(*config, make_port_infos(*config));
  ASSERT_EQ(tables.keepalives.size(), 1U);
  EXPECT_EQ(tables.keepalives[0].sa->name, "from-192.0.2.1");
  EXPECT_EQ(tables.keepalives[0].port, 3);
}

}  // namespace
}  // namespace gate96
