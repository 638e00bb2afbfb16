// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/ip_ends.h"

#include <cstring>

#include "dataplane/packet.h"
#include "dataplane/wire_format.h"

namespace gate96 {

IpEnds ip_ends(const rte_mbuf* m) {
  IpEnds ends;
  ends.src.family = ends.dst.family = info(m).family;
  const auto* bytes = rte_pktmbuf_mtod(m, const std::uint8_t*);
  if (ends.src.is_v4()) {
    std::memcpy(ends.src.bytes.data(), bytes + offsetof(Ipv4Header, src), 4);
    std::memcpy(ends.dst.bytes.data(), bytes + offsetof(Ipv4Header, dst), 4);
  } else {
    std::memcpy(ends.src.bytes.data(), bytes + offsetof(Ipv6Header, src), 16);
    std::memcpy(ends.dst.bytes.data(), bytes + offsetof(Ipv6Header, dst), 16);
  }
  return ends;
}

bool is_loopback(const IpAddress& address) {
  constexpr std::array<std::uint8_t, 16> kV6Loopback = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return address.is_v4() ? address.bytes[0] == 127 : address.bytes == kV6Loopback;
}

bool is_broadcast(const IpAddress& address) {
  return address.is_v4() && std::memcmp(address.bytes.data(), "\xff\xff\xff\xff", 4) == 0;
}

bool is_martian_source(const IpAddress& src) {
  return src.is_multicast() || src.is_unspecified() || is_loopback(src) || is_broadcast(src);
}

}  // namespace gate96
