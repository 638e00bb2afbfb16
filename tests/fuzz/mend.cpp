// SPDX-License-Identifier: BSD-3-Clause
#include "tests/fuzz/mend.h"

#include <rte_ip.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "dataplane/esp.h"
#include "dataplane/wire_format.h"
#include "hmac/hmac.h"

namespace gate96 {
namespace {

constexpr std::uint32_t kEsnSpi = 0x1005;  // of kSiteConfig; its high half is taken for 0

std::uint16_t get16(std::span<const std::uint8_t> bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

void put16(std::span<std::uint8_t> bytes, std::size_t at, std::size_t value) {
  bytes[at] = static_cast<std::uint8_t>(value >> 8);
  bytes[at + 1] = static_cast<std::uint8_t>(value);
}

/// The datagram, without the Ethernet header and its tags.
std::span<std::uint8_t> datagram(Bytes& frame) {
  std::size_t at = sizeof(EtherHeader);
  while (frame.size() >= at + 4 && at < 22) {
    const std::uint16_t type = get16(frame, at - 2);
    if (type != kEtherTypeVlan && type != kEtherTypeQinQ) break;
    at += 4;
  }
  return frame.size() < at ? std::span<std::uint8_t>{} : std::span(frame).subspan(at);
}

void seal(std::span<std::uint8_t> sealed, std::uint32_t seq);

void mend_icmpv6(std::span<std::uint8_t> ip) {
  put16(ip, sizeof(Ipv6Header) + 2, 0);
  const std::uint16_t sum =
      rte_ipv6_udptcp_cksum(reinterpret_cast<const rte_ipv6_hdr*>(ip.data()), ip.data() + sizeof(Ipv6Header));
  std::copy_n(reinterpret_cast<const std::uint8_t*>(&sum), 2, &ip[sizeof(Ipv6Header) + 2]);
}

void mend_icmp(std::span<std::uint8_t> icmp) {
  put16(icmp, 2, 0);
  const auto sum = static_cast<std::uint16_t>(~rte_raw_cksum(icmp.data(), icmp.size()));
  std::copy_n(reinterpret_cast<const std::uint8_t*>(&sum), 2, &icmp[2]);
}

/// `ip` is exactly as long as its header says. `seq` as in mend().
void mend_payload(std::span<std::uint8_t> ip, std::uint8_t protocol, std::size_t header_len,
                  std::uint32_t seq) {
  std::span<std::uint8_t> payload = ip.subspan(header_len);
  if (protocol == kProtoUdp && payload.size() > sizeof(UdpHeader) && get16(payload, 2) == 4500) {
    seal(payload.subspan(sizeof(UdpHeader)), seq);
  } else if (protocol == kProtoEsp) {
    seal(payload, seq);
  } else if (protocol == kProtoIcmp && payload.size() >= 4) {
    mend_icmp(payload);
  } else if (protocol == kProtoIcmpv6 && payload.size() >= 4 && header_len == sizeof(Ipv6Header)) {
    mend_icmpv6(ip);
  }
}

void mend_ip(std::span<std::uint8_t> ip, std::uint32_t seq) {
  if (ip.size() >= sizeof(Ipv4Header) && ip[0] >> 4 == 4) {
    const std::size_t header_len = (ip[0] & 0xfu) * 4;
    const std::size_t total_len = std::min<std::size_t>(get16(ip, 2), ip.size());
    if (header_len < sizeof(Ipv4Header) || header_len > total_len) return;
    if ((get16(ip, 6) & (kIpv4MoreFragments | kIpv4OffsetMask)) == 0)
      mend_payload(ip.first(total_len), ip[9], header_len, seq);
    put16(ip, 10, 0);
    const auto sum = static_cast<std::uint16_t>(~rte_raw_cksum(ip.data(), header_len));
    std::copy_n(reinterpret_cast<const std::uint8_t*>(&sum), 2, &ip[10]);
  } else if (ip.size() >= sizeof(Ipv6Header) && ip[0] >> 4 == 6) {
    const std::size_t total_len = sizeof(Ipv6Header) + get16(ip, 4);
    if (total_len <= ip.size()) mend_payload(ip.first(total_len), ip[6], sizeof(Ipv6Header), seq);
  }
}

/// What ESP holds, then its number and ICV.
void seal(std::span<std::uint8_t> sealed, std::uint32_t seq) {
  if (sealed.size() < esp::kMinLen) return;
  const std::size_t icv_at = sealed.size() - esp::kIcvLen;
  mend_ip(sealed.subspan(esp::kHeaderLen, icv_at - esp::kHeaderLen), 0);
  if (seq != 0) {
    put16(sealed, 4, seq >> 16);
    put16(sealed, 6, seq & 0xffff);
  }
  std::array<std::uint8_t, 20> key;
  std::iota(key.begin(), key.end(), std::uint8_t{0});
  hmac::Hmac mac{hmac::Key(key)};
  mac.update(sealed.first(icv_at));
  constexpr std::array<std::uint8_t, 4> kHighHalf{};
  if (get16(sealed, 0) == 0 && get16(sealed, 2) == kEsnSpi) mac.update(kHighHalf);
  std::copy_n(mac.final().begin(), esp::kIcvLen, sealed.begin() + static_cast<std::ptrdiff_t>(icv_at));
}

}  // namespace

void mend(Bytes& frame, std::uint32_t seq) {
  mend_ip(datagram(frame), seq);
}

void grow(Bytes& frame, std::size_t len) {
  const std::size_t l2_len = frame.size() - datagram(frame).size();
  frame.resize(l2_len + len);
  const std::span<std::uint8_t> ip = datagram(frame);
  if (ip.size() < sizeof(Ipv6Header)) return;
  if (ip[0] >> 4 == 4) put16(ip, 2, ip.size());
  if (ip[0] >> 4 == 6) put16(ip, 4, ip.size() - sizeof(Ipv6Header));
}

}  // namespace gate96
