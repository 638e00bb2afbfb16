// SPDX-License-Identifier: BSD-3-Clause
// Headers as they lie on the wire, for overlaying on packet bytes. All multi-byte fields are big-endian.
#pragma once

#include <rte_byteorder.h>

#include <cstdint>

namespace gate96 {

inline constexpr std::uint16_t kEtherTypeIpv4 = 0x0800;
inline constexpr std::uint16_t kEtherTypeIpv6 = 0x86dd;
inline constexpr std::uint16_t kEtherTypeArp = 0x0806;
inline constexpr std::uint16_t kEtherTypeVlan = 0x8100;
inline constexpr std::uint16_t kEtherTypeQinQ = 0x88a8;

inline constexpr std::uint8_t kProtoHopByHop = 0;
inline constexpr std::uint8_t kProtoIcmp = 1;
inline constexpr std::uint8_t kProtoIpv4 = 4;
inline constexpr std::uint8_t kProtoTcp = 6;
inline constexpr std::uint8_t kProtoUdp = 17;
inline constexpr std::uint8_t kProtoDccp = 33;
inline constexpr std::uint8_t kProtoIpv6 = 41;
inline constexpr std::uint8_t kProtoRouting = 43;
inline constexpr std::uint8_t kProtoFragment = 44;
inline constexpr std::uint8_t kProtoEsp = 50;
inline constexpr std::uint8_t kProtoIcmpv6 = 58;
inline constexpr std::uint8_t kProtoNone = 59;  // no next header: dummy packets (RFC 4303 2.6)
inline constexpr std::uint8_t kProtoDestOptions = 60;
inline constexpr std::uint8_t kProtoSctp = 132;
inline constexpr std::uint8_t kProtoMobility = 135;
inline constexpr std::uint8_t kProtoUdpLite = 136;

struct [[gnu::packed]] EtherHeader {
  std::uint8_t dst[6];
  std::uint8_t src[6];
  rte_be16_t type;
};
static_assert(sizeof(EtherHeader) == 14);

struct [[gnu::packed]] Ipv4Header {
  std::uint8_t version_ihl;
  std::uint8_t tos;
  rte_be16_t total_len;
  rte_be16_t id;
  rte_be16_t fragment;  // 0x4000 DF, 0x2000 MF, 0x1fff offset
  std::uint8_t ttl;
  std::uint8_t protocol;
  rte_be16_t checksum;
  std::uint8_t src[4];
  std::uint8_t dst[4];
};
static_assert(sizeof(Ipv4Header) == 20);
inline constexpr std::uint16_t kIpv4DontFragment = 0x4000;
inline constexpr std::uint16_t kIpv4MoreFragments = 0x2000;
inline constexpr std::uint16_t kIpv4OffsetMask = 0x1fff;

struct [[gnu::packed]] Ipv6Header {
  rte_be32_t version_class_flow;
  rte_be16_t payload_len;  // excludes these 40 bytes
  std::uint8_t next_header;
  std::uint8_t hop_limit;
  std::uint8_t src[16];
  std::uint8_t dst[16];
};
static_assert(sizeof(Ipv6Header) == 40);

struct [[gnu::packed]] EspHeader {
  rte_be32_t spi;
  rte_be32_t seq;
};
static_assert(sizeof(EspHeader) == 8);

struct [[gnu::packed]] UdpHeader {
  rte_be16_t src_port;
  rte_be16_t dst_port;
  rte_be16_t len;
  rte_be16_t checksum;
};
static_assert(sizeof(UdpHeader) == 8);

struct [[gnu::packed]] IcmpHeader {
  std::uint8_t type;
  std::uint8_t code;
  rte_be16_t checksum;
  rte_be32_t rest;
};
static_assert(sizeof(IcmpHeader) == 8);

struct [[gnu::packed]] ArpPacket {  // RFC 826 over Ethernet and IPv4
  rte_be16_t hardware;
  rte_be16_t protocol;
  std::uint8_t hardware_len;
  std::uint8_t protocol_len;
  rte_be16_t operation;
  std::uint8_t sender_mac[6];
  std::uint8_t sender_ip[4];
  std::uint8_t target_mac[6];
  std::uint8_t target_ip[4];
};
static_assert(sizeof(ArpPacket) == 28);

}  // namespace gate96
