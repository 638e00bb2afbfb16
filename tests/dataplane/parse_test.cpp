// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/parse.h"

#include <gtest/gtest.h>
#include <rte_ip.h>

#include <cstring>

#include "dataplane/port_info.h"
#include "dataplane/wire_format.h"
#include "tests/dataplane/eal_environment.h"

namespace gate96 {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr MacAddress kOwn{{2, 0, 0, 0, 0, 1}};

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes ether(std::uint16_t type, const Bytes& tags = {}) {
  return Bytes{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 9} + tags +
         Bytes{static_cast<std::uint8_t>(type >> 8), static_cast<std::uint8_t>(type)};
}

Bytes ipv4(std::size_t payload_len, std::uint8_t protocol = kProtoUdp, std::uint16_t fragment = 0) {
  Ipv4Header ip{};
  ip.version_ihl = 0x45;
  ip.total_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(sizeof ip + payload_len));
  ip.fragment = rte_cpu_to_be_16(fragment);
  ip.ttl = 64;
  ip.protocol = protocol;
  std::memcpy(ip.src, "\x0a\x01\x00\x02", 4);
  std::memcpy(ip.dst, "\x0a\x02\x00\x02", 4);
  ip.checksum = static_cast<rte_be16_t>(~rte_raw_cksum(&ip, sizeof ip));
  Bytes bytes(sizeof ip);
  std::memcpy(bytes.data(), &ip, sizeof ip);
  return bytes;
}

/// The header with a changed byte and a right checksum again.
Bytes changed(Bytes header, std::size_t at, std::uint8_t value) {
  header[at] = value;
  header[10] = header[11] = 0;
  const std::uint16_t sum = static_cast<std::uint16_t>(~rte_raw_cksum(header.data(), header.size()));
  std::memcpy(&header[10], &sum, 2);
  return header;
}

Bytes ipv6(std::uint8_t next, std::size_t payload_len) {
  Bytes bytes(sizeof(Ipv6Header));
  bytes[0] = 0x60;
  bytes[4] = static_cast<std::uint8_t>(payload_len >> 8);
  bytes[5] = static_cast<std::uint8_t>(payload_len);
  bytes[6] = next;
  bytes[7] = 64;
  return bytes;
}

const Bytes kUdp = {0x12, 0x34, 0x00, 0x35, 0, 8, 0, 0};

struct Parsed {
  FrameResult result;
  PacketInfo info;
  std::uint32_t len;
};

Parsed parse(const Bytes& frame, std::size_t piece = SIZE_MAX) {
  const Packet packet = make_packet(frame, piece);
  const FrameResult result = parse_frame(packet.get(), kOwn);
  return {result, info(packet.get()), packet->pkt_len};
}

TEST(Parse, AtoBOfAnIpv4Packet) {
  const Bytes frame = ether(kEtherTypeIpv4) + ipv4(8) + kUdp;
  for (const std::size_t piece : {std::size_t{3}, std::size_t{14}, std::size_t{20}, SIZE_MAX}) {
    const Parsed p = parse(frame, piece);
    EXPECT_EQ(p.result.verdict, Verdict::kPass);
    EXPECT_EQ(p.len, 28u);
    EXPECT_EQ(p.info.header_len, 20);
    EXPECT_EQ(p.info.protocol, kProtoUdp);
    EXPECT_EQ(p.info.src_port, 0x1234);
    EXPECT_EQ(p.info.dst_port, 53);
    EXPECT_FALSE(p.info.fragment);
  }
}

TEST(Parse, IpLengthRulesOverTheFrame) {
  EXPECT_EQ(parse(ether(kEtherTypeIpv4) + ipv4(8) + kUdp + Bytes(18, 0xaa)).len, 28u);
  EXPECT_EQ(parse(ether(kEtherTypeIpv4) + ipv4(9) + kUdp).result.verdict, Verdict::kIpTruncated);
  EXPECT_EQ(parse(ether(kEtherTypeIpv6) + ipv6(kProtoUdp, 8) + kUdp + Bytes(66, 0xaa)).len, 48u);
  EXPECT_EQ(parse(ether(kEtherTypeIpv6) + ipv6(kProtoUdp, 9) + kUdp).result.verdict, Verdict::kIpTruncated);
}

TEST(Parse, BadIpv4Headers) {
  const auto verdict = [](const Bytes& header) {
    return parse(ether(kEtherTypeIpv4) + header + kUdp).result.verdict;
  };
  EXPECT_EQ(verdict(changed(ipv4(8), 0, 0x44)), Verdict::kIpHeader);
  EXPECT_EQ(verdict(changed(ipv4(8), 0, 0x65)), Verdict::kIpVersion);
  EXPECT_EQ(verdict(changed(ipv4(8), 3, 19)), Verdict::kIpHeader);
  EXPECT_EQ(verdict(changed(ipv4(8), 0, 0x4f)), Verdict::kIpHeader);
  Bytes damaged = ipv4(8);
  damaged[8] ^= 1;
  EXPECT_EQ(verdict(damaged), Verdict::kIpChecksum);
}

TEST(Parse, EveryTruncationOfAFrameIsNamed) {
  const Bytes frame = ether(kEtherTypeIpv4, {0x81, 0, 0, 5}) + ipv4(8) + kUdp;
  for (std::size_t len = 0; len < frame.size(); ++len) {
    const Parsed p = parse(Bytes(frame.begin(), frame.begin() + static_cast<long>(len)));
    EXPECT_EQ(p.result.verdict, len < 18 + 20 ? Verdict::kFrameShort : Verdict::kIpTruncated) << len;
  }
}

TEST(Parse, VlanAndQinQAndOthers) {
  EXPECT_EQ(parse(ether(kEtherTypeIpv4, {0x81, 0, 0, 5}) + ipv4(8) + kUdp).info.l2_len, 18);
  EXPECT_EQ(parse(ether(kEtherTypeIpv4, {0x88, 0xa8, 0, 5, 0x81, 0, 0, 6}) + ipv4(8) + kUdp).info.l2_len, 22);
  EXPECT_EQ(parse(ether(0x88cc) + Bytes(50)).result.verdict, Verdict::kNotIp);
  EXPECT_EQ(parse(ether(kEtherTypeArp) + Bytes(28)).result.kind, FrameKind::kArp);
  Bytes other = ether(kEtherTypeIpv4) + ipv4(8) + kUdp;
  other[5] = 2;
  EXPECT_EQ(parse(other).result.verdict, Verdict::kOtherMac);
  other[0] = 1;  // multicast
  EXPECT_EQ(parse(other).result.verdict, Verdict::kPass);
}

TEST(Parse, FragmentsHaveNoPorts) {
  const Parsed first = parse(ether(kEtherTypeIpv4) + ipv4(8, kProtoUdp, kIpv4MoreFragments) + kUdp);
  EXPECT_TRUE(first.info.fragment);
  EXPECT_EQ(first.info.ports_kind, PortsKind::kPorts);
  const Parsed later = parse(ether(kEtherTypeIpv4) + ipv4(8, kProtoUdp, 1) + kUdp);
  EXPECT_TRUE(later.info.later_fragment);
  EXPECT_EQ(later.info.ports_kind, PortsKind::kNone);
}

TEST(Parse, Ipv6ExtensionsAreWalkedWithinBounds) {
  const auto verdict = [](const Bytes& packet) {
    return parse(ether(kEtherTypeIpv6) + packet).result.verdict;
  };
  const Bytes hop = {kProtoRouting, 0, 1, 4, 0, 0, 0, 0};
  const Bytes routing = {kProtoFragment, 0, 0, 0, 0, 0, 0, 0};
  const Bytes fragment = {kProtoEsp, 0, 0, 1, 0, 0, 0, 7};
  const Bytes chain = hop + routing + fragment;
  const Parsed p = parse(ether(kEtherTypeIpv6) + ipv6(kProtoHopByHop, 24 + 24) + chain + Bytes(24));
  EXPECT_EQ(p.result.verdict, Verdict::kPass);
  EXPECT_EQ(p.info.protocol, kProtoEsp);
  EXPECT_EQ(p.info.header_len, 64);
  EXPECT_EQ(p.info.next_header_at, 56);
  EXPECT_TRUE(p.info.fragment);
  // Length 255 past the end; a chain cut in a header; 200 headers; hop-by-hop not first.
  EXPECT_EQ(verdict(ipv6(kProtoDestOptions, 8) + Bytes{kProtoUdp, 255, 0, 0, 0, 0, 0, 0}),
            Verdict::kIpExtension);
  EXPECT_EQ(verdict(ipv6(kProtoDestOptions, 4) + Bytes{kProtoUdp, 0, 0, 0}), Verdict::kIpExtension);
  Bytes many;
  for (int i = 0; i < 200; ++i) many = many + Bytes{kProtoDestOptions, 0, 1, 4, 0, 0, 0, 0};
  EXPECT_EQ(verdict(ipv6(kProtoDestOptions, many.size()) + many), Verdict::kIpExtension);
  EXPECT_EQ(verdict(ipv6(kProtoRouting, 16) + Bytes{kProtoHopByHop, 0, 0, 0, 0, 0, 0, 0} + Bytes(8)),
            Verdict::kIpExtension);
}

}  // namespace
}  // namespace gate96
