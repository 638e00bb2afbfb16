// SPDX-License-Identifier: BSD-3-Clause
// A whole worker without ports, for feeding frames to: what it sends is kept, and its accounts can be looked
// at.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "dataplane/worker.h"

namespace gate96 {

using Bytes = std::vector<std::uint8_t>;

/// Ports 0 (LAN, protected) and 1 (WAN, unprotected), routed; 2 and 3 (protected, unprotected) are a wire.
/// IPv4 and IPv6 tunnels, transport, ESP in UDP, ESN; every SA has the key 00 01 .. 13.
extern const std::string_view kSiteConfig;

class Site : public Transmitter {
 public:
  Site(rte_mempool* pool, std::string_view toml);

  /// One burst. Frames longer than a buffer become chains.
  void receive(std::uint8_t port, const std::vector<Bytes>& frames);
  /// Lets the gateway learn the MAC addresses of 10.1.0.2 and 192.0.2.2.
  void meet_neighbours();
  void receive_packets(std::uint8_t port, std::vector<rte_mbuf*> burst);
  void tick(std::uint64_t now_ms);
  void stop() { worker_->stop(); }

  /// 0 if rx + originated + fragments_made = tx + drops + local + consumed + merged + held.
  [[nodiscard]] std::int64_t balance() const;
  [[nodiscard]] std::uint64_t ended(Verdict verdict) const;

  std::vector<Bytes> sent;               // frames, if `keep_sent`
  bool keep_sent = true;                 // a fuzzer has no use for them
  std::uint16_t num_taken = UINT16_MAX;  // of a burst, by the ports

  std::uint16_t send(std::uint8_t port, rte_mbuf** frames, std::uint16_t num) override;

 private:
  Config config_;
  std::vector<PortInfo> ports_;
  std::unique_ptr<const Tables> tables_;
  std::unique_ptr<Worker> worker_;
  rte_mempool* pool_;
};

using Ipv4 = std::array<std::uint8_t, 4>;

/// A UDP datagram of `len` bytes, IP header included.
[[nodiscard]] Bytes udp_datagram(Ipv4 src, Ipv4 dst, std::size_t len, std::uint16_t fragment_field = 0);

/// Makes the sum of the IPv4 header at `at` right.
void seal_header(Bytes& bytes, std::size_t at = 0);

/// The IPv4 datagram in a frame that any port takes.
[[nodiscard]] Bytes framed(const Bytes& ip);

/// An Ethernet frame of an ESP packet with a right ICV for inbound SA `spi` of kSiteConfig around `inside`,
/// which is everything between the ESP header and the ICV.
[[nodiscard]] Bytes sealed_frame(std::uint32_t spi, std::uint32_t seq, std::span<const std::uint8_t> inside);

}  // namespace gate96
