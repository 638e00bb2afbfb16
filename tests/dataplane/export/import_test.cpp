// SPDX-License-Identifier: BSD-3-Clause
// Listings as iproute2 6.1 printed them on Linux 6.1.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "dataplane/export.h"
#include "dataplane/import_linux.h"

namespace gate96 {
namespace {

std::string listing(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(GATE96_LISTINGS) + "/" + name).rdbuf();
  EXPECT_FALSE(text.view().empty()) << name;
  return text.str();
}

const SaConfig& sa(const Config& config, std::string_view name) {
  const auto found = std::ranges::find(config.sas, name, &SaConfig::name);
  EXPECT_NE(found, config.sas.end()) << name;
  return found == config.sas.end() ? config.sas.at(0) : *found;
}

std::vector<std::string> said(const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics) lines.push_back(to_string(diagnostic));
  return lines;
}

TEST(ImportLinux, takes_esp_with_null_and_hmac_sha1) {
  const auto config = import_linux(listing("linux_listing.txt"), "l", Listing::kOurs);
  ASSERT_TRUE(config);
  ASSERT_EQ(config.value().sas.size(), 5U);
  const SaConfig& out = sa(config.value(), "out-1001");
  EXPECT_EQ(out.direction, Direction::kOut);
  EXPECT_EQ(out.spi, 0x1001U);
  EXPECT_EQ(out.mode, Mode::kTunnel);
  EXPECT_EQ(out.src.to_string(), "192.0.2.1");
  EXPECT_EQ(out.dst.to_string(), "192.0.2.2");
  EXPECT_EQ(key_digits(out.key), "7f3a90c4d1e85b26aa04f7139cde6b825510e4d7");
  EXPECT_EQ(out.seq_start, 1U);
}

TEST(ImportLinux, takes_windows_esn_and_udp) {
  const auto config = import_linux(listing("linux_listing.txt"), "l", Listing::kOurs);
  ASSERT_TRUE(config);
  const SaConfig& in = sa(config.value(), "in-1002");
  EXPECT_EQ(in.replay_window, 1024U);
  EXPECT_TRUE(in.esn);
  EXPECT_EQ(in.seq_start, 0x100000006U);
  ASSERT_TRUE(in.udp_encap);
  EXPECT_EQ(in.udp_encap->dst_port, 4501);
  EXPECT_EQ(sa(config.value(), "in-1005").replay_window, 1024U);
  EXPECT_EQ(sa(config.value(), "in-1006").replay_window, 32U);  // 8, and 32 is our least
}

TEST(ImportLinux, takes_policies_with_their_sas) {
  const auto config = import_linux(listing("linux_listing.txt"), "l", Listing::kOurs);
  ASSERT_TRUE(config);
  const auto& policies = config.value().policies;
  ASSERT_EQ(policies.size(), 6U);  // icmp, ospf, three states for "in" and none for "fwd", tcp
  EXPECT_EQ(policies[0].action, Action::kDiscard);
  EXPECT_EQ(policies[0].icmp_type->low, 8);
  EXPECT_EQ(policies[1].protocol, 89);
  EXPECT_EQ(config.value().sas[*policies[1].sa].name, "out-1003");
  EXPECT_EQ(policies[2].direction, Direction::kIn);
  EXPECT_EQ(policies[2].priority, 10U);
  EXPECT_EQ(policies[2].src->to_string(), "10.2.0.0/24");
  EXPECT_EQ(policies[5].direction, Direction::kOut);
  EXPECT_EQ(policies[5].protocol, 6);
  EXPECT_EQ(policies[5].dst_ports->low, 80);
  EXPECT_EQ(config.value().sas[*policies[5].sa].name, "out-1001");
}

TEST(ImportLinux, says_what_it_leaves_out) {
  const std::vector<std::string> expected{
      "l:1: warning: left out: the state of SPI 0x1008: encryption cbc(aes); gate96 does ecb(cipher_null)",
      "l:56: warning: left out: the policy: bound to interface lo",
      "l:58: warning: left out: the policy: level use: gate96 has no \"protect if you can\"",
  };
  EXPECT_EQ(said(import_linux(listing("linux_listing.txt"), "l", Listing::kOurs).diagnostics()), expected);
}

TEST(ImportLinux, reads_the_long_form) {
  const auto config = import_linux(listing("linux_listing_s.txt"), "l", Listing::kOurs);
  ASSERT_TRUE(config) << to_json(config.diagnostics());
  ASSERT_EQ(config.value().sas.size(), 1U);
  const SaConfig& in = config.value().sas[0];
  EXPECT_EQ(in.spi, 0xfffU);
  EXPECT_EQ(in.replay_window, 1024U);
  EXPECT_EQ(in.seq_start, 0x100000006U);
  EXPECT_TRUE(in.esn);
  EXPECT_EQ(in.life_bytes.hard, 1000U);
  EXPECT_FALSE(in.life_bytes.soft);
  EXPECT_EQ(in.life_packets.soft, 7U);
  EXPECT_EQ(in.life_seconds.hard, 3600U);
  EXPECT_EQ(key_digits(in.key), "7f3a90c4d1e85b26aa04f7139cde6b825510e4d7");
  ASSERT_EQ(config.value().policies.size(), 1U);
  EXPECT_EQ(config.value().policies[0].src->to_string(), "2001:db8:2::/48");
}

TEST(ImportLinux, turns_the_peers_listing_round) {
  const auto config = import_linux(listing("linux_listing_s.txt"), "l", Listing::kPeers);
  ASSERT_TRUE(config);
  const SaConfig& out = config.value().sas[0];
  EXPECT_EQ(out.direction, Direction::kOut);
  EXPECT_EQ(out.seq_start, 0x100000006U);  // after what the peer has seen
  EXPECT_EQ(config.value().policies[0].direction, Direction::kOut);
  EXPECT_EQ(config.value().ports[1].addresses[0].to_string(), "2001:db8::2/64");
}

TEST(ImportLinux, refuses_what_is_no_listing) {
  for (const char* const text :
       {"", "hello", "src 1.2.3.4 dst 1.2.3.5", "src \n\tproto esp", "\n\n\tproto\nsrc x\n\tdir"}) {
    const auto config = import_linux(text, "l", Listing::kOurs);
    EXPECT_FALSE(config);
    EXPECT_TRUE(has_errors(config.diagnostics()));
  }
}

}  // namespace
}  // namespace gate96
