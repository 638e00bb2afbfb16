// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/sad.h"

#include <rte_prefetch.h>

#include <bit>
#include <cstring>

#include "dataplane/packet.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

std::uint32_t spi_of(const rte_mbuf* m) {
  rte_be32_t spi = 0;
  std::memcpy(&spi, rte_pktmbuf_mtod_offset(m, const std::uint8_t*, info(m).header_len), sizeof spi);
  return rte_be_to_cpu_32(spi);
}

bool is_at(const IpAddress& address, const std::uint8_t* bytes) {
  return address.is_v4() ? std::memcmp(address.bytes.data(), bytes, 4) == 0
                         : std::memcmp(address.bytes.data(), bytes, 16) == 0;
}

/// How well an SA with the packet's SPI fits (RFC 4301 4.1): for multicast, one that names the sender goes
/// before one that takes packets from anyone.
enum class Fit { kNone, kAnySource, kExact };

Fit fit(const Sa& sa, const rte_mbuf* m) {
  if (sa.dst.family != info(m).family) return Fit::kNone;
  const auto* ip = rte_pktmbuf_mtod(m, const std::uint8_t*);
  const bool v4 = sa.dst.is_v4();
  if (!is_at(sa.dst, ip + (v4 ? offsetof(Ipv4Header, dst) : offsetof(Ipv6Header, dst)))) return Fit::kNone;
  if (!sa.dst.is_multicast()) [[likely]]
    return Fit::kExact;
  if (is_at(sa.src, ip + (v4 ? offsetof(Ipv4Header, src) : offsetof(Ipv6Header, src)))) return Fit::kExact;
  return sa.src.is_unspecified() ? Fit::kAnySource : Fit::kNone;
}

constexpr std::size_t kMinSlots = 64;

}  // namespace

Sad::Sad(const std::vector<std::shared_ptr<Sa>>& sas) {
  for (const auto& sa : sas) {
    if (sa->direction != Direction::kOut) sas_.push_back(sa);
  }
  slots_.resize(std::bit_ceil(std::max(kMinSlots, 2 * sas_.size())));
  shift_ = 32 - static_cast<unsigned>(std::countr_zero(slots_.size()));
  for (const auto& sa : sas_) {
    if (sa->udp_encap && !has_udp_port(sa->udp_encap->dst_port))
      udp_ports_.push_back(sa->udp_encap->dst_port);
    std::size_t at = place(sa->spi);
    while (slots_[at].sa != nullptr) at = (at + 1) % slots_.size();
    slots_[at] = {sa->spi, sa.get()};
  }
}

Sa* Sad::find(std::uint32_t spi, std::size_t place, const rte_mbuf* m) const {
  Sa* any_source = nullptr;
  for (std::size_t at = place; slots_[at].sa != nullptr; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].spi != spi) continue;
    const Fit how = fit(*slots_[at].sa, m);
    if (how == Fit::kExact) return slots_[at].sa;
    if (how == Fit::kAnySource) any_source = slots_[at].sa;
  }
  return any_source;
}

void Sad::lookup(rte_mbuf** packets, std::uint16_t num, Sa** result) const {
  std::uint32_t spis[kMaxPackets];
  for (std::uint16_t i = 0; i < num; ++i) {
    spis[i] = spi_of(packets[i]);
    rte_prefetch0(&slots_[place(spis[i])]);
  }
  for (std::uint16_t i = 0; i < num; ++i) {
    const Sa* first = slots_[place(spis[i])].sa;  // nearly always the one
    if (first == nullptr) continue;
    prefetch(*first);
    rte_prefetch0(&first->window);
  }
  for (std::uint16_t i = 0; i < num; ++i) result[i] = find(spis[i], place(spis[i]), packets[i]);
}

}  // namespace gate96
