// SPDX-License-Identifier: BSD-3-Clause
#include "tests/dataplane/threads/traffic.h"

#include <rte_byteorder.h>
#include <rte_ip.h>

#include <cstring>

#include "dataplane/capture.h"
#include "dataplane/wire_format.h"
#include "hmac/hmac.h"

namespace gate96::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kIcvLen = 12;

void append(Bytes& bytes, const void* data, std::size_t len) {
  const auto* begin = static_cast<const std::uint8_t*>(data);
  bytes.insert(bytes.end(), begin, begin + len);
}

Bytes ip_packet(std::uint8_t proto, const std::uint8_t (&src)[4], const std::uint8_t (&dst)[4],
                const Bytes& body) {
  Ipv4Header ip = {0x45, 0, 0, 0, 0, 64, proto, 0, {}, {}};
  std::memcpy(ip.src, src, 4);
  std::memcpy(ip.dst, dst, 4);
  ip.total_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(sizeof ip + body.size()));
  ip.checksum = rte_ipv4_cksum(reinterpret_cast<const rte_ipv4_hdr*>(&ip));
  Bytes packet;
  append(packet, &ip, sizeof ip);
  append(packet, body.data(), body.size());
  return packet;
}

Bytes udp(std::size_t body_len) {
  Bytes bytes(8 + body_len);
  bytes[1] = bytes[3] = 7;
  bytes[4] = static_cast<std::uint8_t>(bytes.size() >> 8);
  bytes[5] = static_cast<std::uint8_t>(bytes.size());
  return bytes;
}

/// RFC 4303 2, tunnel mode with NULL encryption; what is inside has a length of 4n + 2.
Bytes esp(std::uint32_t spi, std::uint32_t number, const Bytes& inner) {
  const std::uint32_t head[] = {rte_cpu_to_be_32(spi), rte_cpu_to_be_32(number)};
  const std::uint8_t trailer[] = {0, 4};  // no padding; IPv4
  Bytes bytes;
  append(bytes, head, sizeof head);
  append(bytes, inner.data(), inner.size());
  append(bytes, trailer, sizeof trailer);
  const auto icv = hmac::digest(hmac::Key(key_of(spi)), bytes);
  append(bytes, icv.data(), kIcvLen);
  return bytes;
}

/// For the port that DPDK's pcap driver made as its `port`-th: it gives them addresses of its own.
void write(CaptureWriter& out, std::uint8_t port, const Bytes& packet) {
  EtherHeader ether{{0x02, 0x70, 0x63, 0x61, 0x70, port}, {}, rte_cpu_to_be_16(kEtherTypeIpv4)};
  Bytes frame;
  append(frame, &ether, sizeof ether);
  append(frame, packet.data(), packet.size());
  out.write({.time = {}, .bytes = frame});
}

}  // namespace

Bytes key_of(std::uint32_t spi) {
  Bytes key(20);
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(spi + 37 * i);
  return key;
}

void write_lan(const std::string& file) {
  CaptureWriter out(file);
  for (std::uint8_t i = 0; i < 64; ++i) {
    write(out, 0,
          ip_packet(kProtoUdp, {10, 1, 0, 2}, {10, 2, static_cast<std::uint8_t>(i % kNumSas), 2},
                    udp(std::size_t{i} * 5)));
  }
}

void write_wan(const std::string& file, std::uint32_t num_each) {
  CaptureWriter out(file);
  for (std::uint32_t number = 1; number <= num_each; ++number) {
    for (std::uint8_t sa = 0; sa < kNumSas; ++sa) {
      const Bytes inner = ip_packet(kProtoUdp, {10, 2, sa, 2}, {10, 1, 0, 2}, udp(2));
      write(out, 1, ip_packet(kProtoEsp, {192, 0, 2, 2}, {192, 0, 2, 1}, esp(kInSpi + sa, number, inner)));
    }
  }
}

}  // namespace gate96::test
