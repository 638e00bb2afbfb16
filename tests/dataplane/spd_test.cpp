// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/spd.h"

#include <gtest/gtest.h>

#include <random>

#include "dataplane/spd_key.h"
#include "dataplane/wire_format.h"
#include "tests/dataplane/eal_environment.h"

namespace gate96 {
namespace {

PolicyConfig policy(const char* src, const char* dst, Action action = Action::kBypass) {
  PolicyConfig config;
  if (*src != '\0') config.src = IpPrefix::parse(src)->network();
  if (*dst != '\0') config.dst = IpPrefix::parse(dst)->network();
  config.action = action;
  return config;
}

/// A parsed packet as far as the SPD looks at it.
Packet packet(const char* src, const char* dst, std::uint8_t protocol, std::uint16_t src_port = 0,
              std::uint16_t dst_port = 0, PortsKind kind = PortsKind::kPorts) {
  const IpAddress from = *IpAddress::parse(src);
  const IpAddress to = *IpAddress::parse(dst);
  std::vector<std::uint8_t> bytes(from.is_v4() ? 20 : 40);
  const std::size_t len = from.is_v4() ? 4 : 16;
  const std::size_t at = from.is_v4() ? 12 : 8;
  std::copy_n(from.bytes.begin(), len, bytes.begin() + static_cast<long>(at));
  std::copy_n(to.bytes.begin(), len, bytes.begin() + static_cast<long>(at + len));
  Packet m = make_packet(bytes);
  PacketInfo& p = info(m.get());
  p.family = from.family;
  p.protocol = protocol;
  p.src_port = src_port;
  p.dst_port = dst_port;
  p.ports_kind = kind;
  return m;
}

/// Place in file order of the policy that matches, or -1.
int match(const std::vector<PolicyConfig>& configs, const Packet& m) {
  std::vector<Policy> policies;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    policies.push_back({configs[i], nullptr});
    policies.back().config.sa = static_cast<std::uint32_t>(i);  // a mark to know it by
  }
  const Spd spd(Direction::kOut, std::move(policies));
  rte_mbuf* packets[] = {m.get()};
  const Ruling* result[1] = {};
  spd.classify(packets, 1, result);
  return result[0] == nullptr ? -1 : static_cast<int>(*spd.policies()[result[0]->policy].config.sa);
}

TEST(Spd, NoPolicyNoMatch) {
  EXPECT_EQ(match({}, packet("10.1.0.2", "10.2.0.2", kProtoUdp)), -1);
  EXPECT_EQ(match({policy("10.9.0.0/16", "")}, packet("10.1.0.2", "10.2.0.2", kProtoUdp)), -1);
}

TEST(Spd, LowerPriorityNumberFirstThenFileOrder) {
  std::vector<PolicyConfig> configs = {policy("", ""), policy("", ""), policy("", "")};
  EXPECT_EQ(match(configs, packet("10.1.0.2", "10.2.0.2", kProtoUdp)), 0);
  configs[0].priority = 2;
  configs[1].priority = configs[2].priority = 1;
  EXPECT_EQ(match(configs, packet("10.1.0.2", "10.2.0.2", kProtoUdp)), 1);
}

TEST(Spd, PrefixesOfBothFamilies) {
  const std::vector<PolicyConfig> configs = {policy("10.1.0.0/24", "10.2.0.0/24"),
                                             policy("2001:db8:1::/48", "2001:db8:2:8000::/49")};
  EXPECT_EQ(match(configs, packet("10.1.0.255", "10.2.0.0", kProtoUdp)), 0);
  EXPECT_EQ(match(configs, packet("10.1.1.0", "10.2.0.0", kProtoUdp)), -1);
  EXPECT_EQ(match(configs, packet("2001:db8:1::9", "2001:db8:2:8000::1", kProtoTcp)), 1);
  EXPECT_EQ(match(configs, packet("2001:db8:1::9", "2001:db8:2:7000::1", kProtoTcp)), -1);
}

TEST(Spd, PortRangesAndProtocols) {
  PolicyConfig config = policy("", "");
  config.protocol = kProtoTcp;
  config.dst_ports = PortRange{80, 443};
  EXPECT_EQ(match({config}, packet("10.1.0.2", "10.2.0.2", kProtoTcp, 5, 80)), 0);
  EXPECT_EQ(match({config}, packet("10.1.0.2", "10.2.0.2", kProtoTcp, 5, 443)), 0);
  EXPECT_EQ(match({config}, packet("10.1.0.2", "10.2.0.2", kProtoTcp, 5, 444)), -1);
  EXPECT_EQ(match({config}, packet("10.1.0.2", "10.2.0.2", kProtoUdp, 5, 80)), -1);
}

TEST(Spd, PortsWithoutProtocolCoverAllThatHavePorts) {
  PolicyConfig config = policy("", "");
  config.src_ports = PortRange{0, 100};
  EXPECT_EQ(match({config}, packet("10.1.0.2", "10.2.0.2", kProtoSctp, 5, 80)), 0);
  EXPECT_EQ(match({config}, packet("10.1.0.2", "10.2.0.2", 89, 0, 0, PortsKind::kNone)), -1);
}

TEST(Spd, LaterFragmentsMatchOnlyPoliciesWithoutPorts) {
  PolicyConfig with_ports = policy("", "");
  with_ports.protocol = kProtoUdp;
  with_ports.dst_ports = PortRange{0, 65535};
  const Packet fragment = packet("10.1.0.2", "10.2.0.2", kProtoUdp, 0, 0, PortsKind::kNone);
  EXPECT_EQ(match({with_ports}, fragment), -1);
  PolicyConfig without = policy("10.1.0.0/24", "");
  without.protocol = kProtoUdp;
  EXPECT_EQ(match({with_ports, without}, fragment), 1);
}

TEST(Spd, AgreesWithAWalkOverRandomPolicies) {
  std::mt19937 random(4301);
  auto pick = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int round = 0; round < 30; ++round) {
    std::vector<Policy> policies;
    for (int i = 0; i < 40; ++i) {
      PolicyConfig config;
      config.priority = pick(8);
      if (pick(4) != 0)
        config.src = IpPrefix{{Family::kIpv4, {10, static_cast<std::uint8_t>(pick(4))}},
                              static_cast<std::uint8_t>(8 + pick(9))}
                         .network();
      if (pick(4) != 0)
        config.dst = IpPrefix{{Family::kIpv4, {10, static_cast<std::uint8_t>(pick(4))}},
                              static_cast<std::uint8_t>(8 + pick(9))}
                         .network();
      if (pick(2) != 0) config.protocol = pick(2) != 0 ? kProtoTcp : kProtoUdp;
      if (pick(3) == 0)
        config.dst_ports =
            PortRange{static_cast<std::uint16_t>(pick(50)), static_cast<std::uint16_t>(50 + pick(50))};
      policies.push_back({config, nullptr});
    }
    const Spd spd(Direction::kOut, policies);
    for (int i = 0; i < 50; ++i) {
      const std::string src = "10." + std::to_string(pick(4)) + ".0.1";
      const std::string dst = "10." + std::to_string(pick(4)) + ".0.1";
      const Packet m = packet(src.c_str(), dst.c_str(), pick(2) != 0 ? kProtoTcp : kProtoUdp, 1,
                              static_cast<std::uint16_t>(pick(120)));
      const Policy* expected = nullptr;
      for (const Policy& candidate : spd.policies()) {
        if (spd_key::matches(candidate.config, m.get())) {
          expected = &candidate;
          break;
        }
      }
      rte_mbuf* packets[] = {m.get()};
      const Ruling* result[1] = {};
      spd.classify(packets, 1, result);
      ASSERT_EQ(result[0] == nullptr ? nullptr : &spd.policies()[result[0]->policy], expected);
    }
  }
}

}  // namespace
}  // namespace gate96
