// SPDX-License-Identifier: BSD-3-Clause
// Good configurations arrive whole: every key, every form, every default.
#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

Config load(std::string_view text) {
  auto result = parse_config(text, "gw.toml");
  EXPECT_TRUE(result) << to_json(result.diagnostics());
  return result ? std::move(result).value() : Config{};
}

/// kGood with the lines `extra` after the first line `after`.
Config with(std::string_view after, const std::string& extra) {
  return load(edited({"", after, std::string(after) + "\n" + extra, {}}));
}

TEST(Good, defaults) {
  const Config config = load(edited({"", "name = \"site-a\"\n", "", {}}));
  EXPECT_EQ(config.file, "gw.toml");
  EXPECT_EQ(config.gateway.name, "gate96");
  EXPECT_EQ(config.gateway.control, "/run/gate96/gate96.sock");
  EXPECT_EQ(config.gateway.workers, 1U);
  EXPECT_EQ(config.gateway.burst, 64U);
  EXPECT_EQ(config.gateway.idle, Idle::kSleep);
  EXPECT_EQ(config.gateway.backend, "auto");
  EXPECT_FALSE(config.eal.hugepages);
  EXPECT_EQ(config.eal.memory_mb, 512U);
  EXPECT_EQ(config.ports.at(0).mtu, 1500U);
  const SaConfig& sa = config.sas.at(0);
  EXPECT_EQ(sa.replay_window, 64U);
  EXPECT_FALSE(sa.esn);
  EXPECT_EQ(sa.seq_start, 1U);
  EXPECT_FALSE(sa.udp_encap || sa.dscp || sa.life_bytes.hard || sa.life_packets.soft);
  EXPECT_EQ(config.policies.at(0).priority, 0U);
  EXPECT_FALSE(config.policies[0].protocol || config.policies[0].src_ports);
}

TEST(Good, ports_and_routes) {
  const Config config = load(kGood);
  ASSERT_EQ(config.ports.size(), 2U);
  EXPECT_EQ(config.ports[0].device, "af_packet:lan0");
  EXPECT_EQ(config.ports[0].role, Role::kProtected);
  EXPECT_EQ(config.ports[1].role, Role::kUnprotected);
  ASSERT_EQ(config.ports[0].addresses.size(), 2U);
  EXPECT_EQ(config.ports[0].addresses[0].to_string(), "10.1.0.1/24");
  EXPECT_EQ(config.ports[0].addresses[1].to_string(), "2001:db8:1::1/64");
  ASSERT_EQ(config.ports[1].neighbours.size(), 1U);
  EXPECT_EQ(config.ports[1].neighbours[0].address.to_string(), "192.0.2.2");
  EXPECT_EQ(config.ports[1].neighbours[0].mac.to_string(), "02:00:00:00:00:02");
  ASSERT_EQ(config.routes.size(), 1U);
  EXPECT_EQ(config.routes[0].to.to_string(), "10.2.0.0/24");
  EXPECT_EQ(config.routes[0].via->to_string(), "192.0.2.2");
  EXPECT_EQ(config.routes[0].port, 1U);
}

TEST(Good, sas_and_policies) {
  const Config config = load(kGood);
  ASSERT_EQ(config.sas.size(), 2U);
  EXPECT_EQ(config.sas[0].direction, Direction::kOut);
  EXPECT_EQ(config.sas[0].spi, 0x1001U);
  EXPECT_EQ(config.sas[0].mode, Mode::kTunnel);
  EXPECT_EQ(config.sas[0].src.to_string(), "192.0.2.1");
  EXPECT_EQ(config.sas[0].dst.to_string(), "192.0.2.2");
  EXPECT_EQ(config.sas[1].direction, Direction::kIn);
  EXPECT_EQ(config.sas[1].key.bytes()[0], 0xc9);
  EXPECT_EQ(config.sas[1].key.bytes()[19], 0xe1);
  EXPECT_FALSE(config.sas[0].key == config.sas[1].key);
  ASSERT_EQ(config.policies.size(), 2U);
  EXPECT_EQ(config.policies[1].direction, Direction::kIn);
  EXPECT_EQ(config.policies[1].src->to_string(), "10.2.0.0/24");
  EXPECT_EQ(config.policies[1].dst->to_string(), "10.1.0.0/24");
  EXPECT_EQ(config.policies[1].action, Action::kProtect);
  EXPECT_EQ(config.policies[1].sa, 1U);
}

TEST(Good, gateway_and_eal_keys) {
  const Config config =
      with("name = \"site-a\"",
           "control = \"/tmp/a.sock\"\nworkers = 16\nburst = 256\nidle = \"poll\"\nbackend = \"generic\"\n"
           "esp_fragments = \"discard\"\n"
           "[eal]\nhugepages = true\nmemory_mb = 64\nextra = [\"--log-level=8\"]");
  EXPECT_EQ(config.gateway.control, "/tmp/a.sock");
  EXPECT_EQ(config.gateway.workers, 16U);
  EXPECT_EQ(config.gateway.burst, 256U);
  EXPECT_EQ(config.gateway.idle, Idle::kPoll);
  EXPECT_EQ(config.gateway.backend, "generic");
  EXPECT_EQ(config.gateway.esp_fragments, EspFragments::kDiscard);
  EXPECT_EQ(config.gateway.state_file, "site-a.state");
  EXPECT_TRUE(config.eal.hugepages);
  EXPECT_EQ(config.eal.memory_mb, 64U);
  EXPECT_EQ(config.eal.extra, std::vector<std::string>{"--log-level=8"});
}

TEST(Good, sa_keys) {
  const Config config = with(
      "spi = 0x1001",
      "replay_window = 65536\nesn = true\nseq_start = 0xfffffffff\ntfc = 1400\ndf = \"clear\"\ndscp = 46\n"
      "ecn = \"compatibility\"\nudp_encap = { dst_port = 4501, keepalive_seconds = 0 }\nlife_packets = 10\n"
      "life_bytes = { soft = 9, hard = 10 }\nlife_seconds = { soft = 3600 }");
  const SaConfig& sa = config.sas.at(0);
  EXPECT_EQ(sa.replay_window, 65536U);
  EXPECT_TRUE(sa.esn);
  EXPECT_EQ(sa.seq_start, 0xfffffffffU);
  EXPECT_EQ(sa.tfc, 1400U);
  EXPECT_EQ(sa.df, Df::kClear);
  EXPECT_EQ(sa.dscp, 46);
  EXPECT_EQ(sa.ecn, Ecn::kCompatibility);
  ASSERT_TRUE(sa.udp_encap);
  EXPECT_EQ(sa.udp_encap->src_port, 4500);
  EXPECT_EQ(sa.udp_encap->dst_port, 4501);
  EXPECT_EQ(sa.udp_encap->keepalive_seconds, 0U);
  EXPECT_EQ(sa.life_packets.hard, 10U);
  EXPECT_FALSE(sa.life_packets.soft);
  EXPECT_EQ(sa.life_bytes.soft, 9U);
  EXPECT_EQ(sa.life_bytes.hard, 10U);
  EXPECT_EQ(sa.life_seconds.soft, 3600U);
}

TEST(Good, every_spi_from_256_on_is_a_value) {
  for (const char* const spi : {"256", "0x80000000", "0xffffffff"}) {
    EXPECT_EQ(load(edited({"", "0x1001", spi, {}})).sas.at(0).spi, std::stoul(spi, nullptr, 0));
  }
}

TEST(Good, policy_keys) {
  const Config tcp =
      with("dst = \"10.2.0.0/24\"",
           "priority = 4294967295\nprotocol = \"tcp\"\nsrc_ports = \"1024-65535\"\ndst_ports = 443");
  EXPECT_EQ(tcp.policies.at(0).priority, 0xffffffffU);
  EXPECT_EQ(tcp.policies[0].protocol, 6);
  EXPECT_EQ(tcp.policies[0].src_ports->low, 1024);
  EXPECT_EQ(tcp.policies[0].src_ports->high, 65535);
  EXPECT_EQ(tcp.policies[0].dst_ports->low, 443);
  EXPECT_EQ(tcp.policies[0].dst_ports->high, 443);
  const Config icmp = with("dst = \"10.2.0.0/24\"", "protocol = 1\nicmp_type = \"0-8\"\nicmp_code = 0");
  EXPECT_EQ(icmp.policies.at(0).protocol, 1);
  EXPECT_EQ(icmp.policies[0].icmp_type->high, 8);
  EXPECT_EQ(icmp.policies[0].icmp_code->low, 0);
  const Config any = with("dst = \"10.2.0.0/24\"", "protocol = \"any\"");
  EXPECT_FALSE(any.policies.at(0).protocol);
}

TEST(Good, an_address_alone_is_a_selector_of_one_host) {
  const Config config = load(edited({"", "dst = \"10.2.0.0/24\"", "dst = \"10.2.0.9\"", {}}));
  EXPECT_EQ(config.policies.at(0).dst->to_string(), "10.2.0.9/32");
}

// RFC 4552: one SA for all routers of a link, both ways, without a replay check.
TEST(Good, ospfv3_on_a_wire) {
  const Config config = load(R"(
[[port]]
name = "router"
device = "null"
role = "protected"
[[port]]
name = "link"
device = "null"
role = "unprotected"
[[wire]]
protected = "router"
unprotected = "link"
[[sa]]
name = "ospf"
direction = "both"
spi = 256
mode = "transport"
dst = "ff02::5"
key = "c90e1f77b36d24a8805e93bb41fa07d62c8845e1"
[[policy]]
direction = "out"
dst = "ff02::5"
protocol = "ospf"
action = "protect"
sa = "ospf"
[[policy]]
direction = "in"
dst = "ff02::5"
protocol = 89
action = "protect"
sa = "ospf"
)");
  ASSERT_EQ(config.wires.size(), 1U);
  EXPECT_EQ(config.wires[0].protected_port, 0U);
  EXPECT_EQ(config.wires[0].unprotected_port, 1U);
  EXPECT_EQ(config.sas.at(0).direction, Direction::kBoth);
  EXPECT_TRUE(config.sas[0].src.is_unspecified());
  EXPECT_EQ(config.sas[0].src.family, Family::kIpv6);
  EXPECT_EQ(config.sas[0].replay_window, 0U);
}

TEST(Good, multicast_sas_may_share_an_spi_if_their_sources_differ) {
  const auto sa = [](const char* name, const char* src) {
    return std::string("[[sa]]\nname = \"") + name +
           "\"\ndirection = \"in\"\nspi = 500\nmode = \"transport\"\nsrc = \"" + src +
           "\"\ndst = \"224.0.0.5\"\nkey = \"c90e1f77b36d24a8805e93bb41fa07d62c8845e1\"\n";
  };
  const std::string two = sa("m1", "192.0.2.7") + sa("m2", "192.0.2.8");
  EXPECT_EQ(load(std::string(kGood) + two).sas.size(), 4U);
  EXPECT_FALSE(parse_config(std::string(kGood) + sa("m1", "192.0.2.7") + sa("m2", "192.0.2.7"), "gw.toml"));
}

TEST(Good, as_many_ports_as_there_is_room_for_and_no_more) {
  std::string text(kGood);
  for (std::size_t num = 2; num <= kMaxPorts; ++num) {  // kGood has two
    EXPECT_TRUE(parse_config(text, "gw.toml")) << num << " ports";
    text += "[[port]]\nname = \"p" + std::to_string(num) +
            "\"\ndevice = \"null\"\nrole = \"protected\"\naddresses = [\"10.200." + std::to_string(num) +
            ".1/24\"]\n";
  }
  const auto result = parse_config(text, "gw.toml");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostics().front().message, "must be at most 16 ports");
}

}  // namespace
}  // namespace gate96::test
