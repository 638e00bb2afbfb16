// SPDX-License-Identifier: BSD-3-Clause
// The security association database, inbound side: SPI and destination, for multicast also source, to an SA
// (RFC 4301 4.1). Immutable once built.
#pragma once

#include <rte_hash.h>
#include <rte_mbuf.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "dataplane/sa.h"

namespace gate96 {

class Sad {
 public:
  /// Takes those of `sas` that receive. Throws std::runtime_error if the table cannot be built.
  explicit Sad(const std::vector<std::shared_ptr<Sa>>& sas);

  /// result[i] = the SA of the ESP packet packets[i], or null. info(m).header_len leads to the ESP header, of
  /// which the first 4 bytes must be contiguous with the IP header. num <= kMaxPackets.
  void lookup(rte_mbuf** packets, std::uint16_t num, Sa** result) const;

  /// True if an SA receives ESP in UDP on this port.
  [[nodiscard]] bool has_udp_port(std::uint16_t port) const {
    return std::find(udp_ports_.begin(), udp_ports_.end(), port) != udp_ports_.end();
  }

 private:
  struct FreeHash {
    void operator()(rte_hash* hash) const { rte_hash_free(hash); }
  };

  std::vector<std::shared_ptr<Sa>> sas_;
  std::vector<std::uint16_t> udp_ports_;
  std::unique_ptr<rte_hash, FreeHash> hash_;  // null: no inbound SA
};

}  // namespace gate96
