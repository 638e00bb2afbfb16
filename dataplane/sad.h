// SPDX-License-Identifier: BSD-3-Clause
// The security association database, inbound side: SPI and destination, for multicast also source, to an SA
// (RFC 4301 4.1). Immutable once built: a hash table of SPIs with open addressing, at most half full; what
// else must match is asked of the SA itself.
#pragma once

#include <rte_mbuf.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "dataplane/sa.h"

namespace gate96 {

class Sad {
 public:
  /// Takes those of `sas` that receive; no two of them are for the same packets.
  explicit Sad(const std::vector<std::shared_ptr<Sa>>& sas);

  /// result[i] = the SA of the ESP packet packets[i], or null. info(m).header_len leads to the ESP header, of
  /// which the first 4 bytes must be contiguous with the IP header. num <= kMaxPackets.
  void lookup(rte_mbuf** packets, std::uint16_t num, Sa** result) const;

  /// True if an SA receives ESP in UDP on this port.
  [[nodiscard]] bool has_udp_port(std::uint16_t port) const {
    return std::find(udp_ports_.begin(), udp_ports_.end(), port) != udp_ports_.end();
  }

 private:
  struct Slot {
    std::uint32_t spi = 0;
    Sa* sa = nullptr;  // null: empty
  };

  [[nodiscard]] std::size_t place(std::uint32_t spi) const {
    return (spi * 0x9e3779b1u) >> shift_;  // 2^32 / golden ratio: spreads SPIs that follow each other
  }
  [[nodiscard]] Sa* find(std::uint32_t spi, std::size_t place, const rte_mbuf* m) const;

  std::vector<std::shared_ptr<Sa>> sas_;
  std::vector<std::uint16_t> udp_ports_;
  unsigned shift_;
  std::vector<Slot> slots_;  // 2^(32 - shift_)
};

}  // namespace gate96
