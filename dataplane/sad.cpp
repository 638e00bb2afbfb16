// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/sad.h"

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_hash_crc.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>

#include "dataplane/packet.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

/// What an SA is found by. Unused bytes are zero; src is zero for unicast.
struct Key {
  rte_be32_t spi = 0;
  std::uint32_t family = 0;
  std::uint8_t dst[16] = {};
  std::uint8_t src[16] = {};
};
static_assert(sizeof(Key) == 40);

Key key_of(const Sa& sa) {
  Key key;
  key.spi = rte_cpu_to_be_32(sa.spi);
  key.family = static_cast<std::uint32_t>(sa.dst.family);
  std::memcpy(key.dst, sa.dst.bytes.data(), 16);
  if (sa.dst.is_multicast()) std::memcpy(key.src, sa.src.bytes.data(), 16);  // unspecified: any source
  return key;
}

void fill_key(Key& key, const rte_mbuf* m) {
  const PacketInfo& p = info(m);
  const auto* bytes = rte_pktmbuf_mtod(m, const std::uint8_t*);
  std::memcpy(&key.spi, bytes + p.header_len, 4);
  key.family = static_cast<std::uint32_t>(p.family);
  const bool v4 = p.family == Family::kIpv4;
  const std::size_t len = v4 ? 4 : 16;
  const std::uint8_t* src = bytes + (v4 ? offsetof(Ipv4Header, src) : offsetof(Ipv6Header, src));
  const std::uint8_t* dst = src + len;
  std::memset(key.dst, 0, sizeof key.dst);
  std::memset(key.src, 0, sizeof key.src);
  std::memcpy(key.dst, dst, len);
  const bool multicast = v4 ? (dst[0] >> 4) == 0xe : dst[0] == 0xff;
  if (multicast) std::memcpy(key.src, src, len);
}

bool has_source(const Key& key) {
  return std::any_of(std::begin(key.src), std::end(key.src), [](std::uint8_t byte) { return byte != 0; });
}

Sa* find(const rte_hash* hash, const Key& key) {
  void* data = nullptr;
  return rte_hash_lookup_data(hash, &key, &data) >= 0 ? static_cast<Sa*>(data) : nullptr;
}

/// A multicast group's SA that takes packets from anyone (RFC 4301 4.1: then SPI and destination decide).
Sa* find_any_source(const rte_hash* hash, Key key) {
  if (!has_source(key)) return nullptr;
  std::memset(key.src, 0, sizeof key.src);
  return find(hash, key);
}

}  // namespace

Sad::Sad(const std::vector<std::shared_ptr<Sa>>& sas) {
  static std::atomic<unsigned> serial{0};
  for (const auto& sa : sas) {
    if (sa->direction != Direction::kOut) sas_.push_back(sa);
  }
  for (const auto& sa : sas_) {
    if (sa->udp_encap && !has_udp_port(sa->udp_encap->dst_port))
      udp_ports_.push_back(sa->udp_encap->dst_port);
  }
  if (sas_.empty()) return;
  const std::string name = fmt::format("sad{}", serial.fetch_add(1));
  rte_hash_parameters parameters{};
  parameters.name = name.c_str();
  // Half full, so that cuckoo displacement always finds a place.
  parameters.entries = static_cast<std::uint32_t>(std::max<std::size_t>(64, sas_.size() * 2));
  parameters.key_len = sizeof(Key);
  parameters.hash_func = rte_hash_crc;
  parameters.socket_id = SOCKET_ID_ANY;
  hash_.reset(rte_hash_create(&parameters));
  if (!hash_) throw std::runtime_error(fmt::format("SAD of {}: {}", sas_.size(), rte_strerror(rte_errno)));
  for (const auto& sa : sas_) {
    const Key key = key_of(*sa);
    const int error = rte_hash_add_key_data(hash_.get(), &key, sa.get());
    if (error != 0) throw std::runtime_error(fmt::format("SAD: SA {}: {}", sa->name, rte_strerror(-error)));
  }
}

void Sad::lookup(rte_mbuf** packets, std::uint16_t num, Sa** result) const {
  if (!hash_) {
    std::fill_n(result, num, nullptr);
    return;
  }
  Key keys[RTE_HASH_LOOKUP_BULK_MAX];
  const void* pointers[RTE_HASH_LOOKUP_BULK_MAX];
  for (std::uint16_t first = 0; first < num; first += RTE_HASH_LOOKUP_BULK_MAX) {
    const auto n = std::min<std::uint32_t>(num - first, RTE_HASH_LOOKUP_BULK_MAX);
    for (std::uint32_t i = 0; i < n; ++i) {
      fill_key(keys[i], packets[first + i]);
      pointers[i] = &keys[i];
    }
    void* data[RTE_HASH_LOOKUP_BULK_MAX];
    std::uint64_t hits = 0;
    rte_hash_lookup_bulk_data(hash_.get(), pointers, n, &hits, data);
    for (std::uint32_t i = 0; i < n; ++i) {
      result[first + i] =
          (hits >> i & 1) != 0 ? static_cast<Sa*>(data[i]) : find_any_source(hash_.get(), keys[i]);
    }
  }
}

}  // namespace gate96
