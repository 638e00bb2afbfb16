// SPDX-License-Identifier: BSD-3-Clause
// The IPv4 neighbours that packets went to lately, each with its Ethernet header ready-made. What is not
// here, or may not be true any more, the neighbour table knows.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "dataplane/neighbour.h"
#include "dataplane/wire_format.h"

namespace gate96 {

class AdjacencyCache {
 public:
  /// The header of frames to `address` on `port`, or null. Counts as a use of the table's entry.
  [[nodiscard]] const EtherHeader* find(const NeighbourTable& table, std::uint8_t port, rte_be32_t address,
                                        std::uint64_t now_ms) const {
    const Slot& slot = slots_[place(port, address)];
    if (slot.address != address || slot.port != port || slot.version != table.version() ||
        now_ms > slot.fresh_until_ms) {
      return nullptr;
    }
    slot.entry->used_ms = now_ms;
    return &slot.header;
  }

  /// `entry` is that of `address` on `port` in `table`, known, and not to be asked for before
  /// `fresh_until_ms`.
  void put(const NeighbourTable& table, std::uint8_t port, rte_be32_t address, NeighbourTable::Entry& entry,
           const MacAddress& own) {
    Slot& slot = slots_[place(port, address)];
    slot = {table.version(), entry.fresh_until_ms(), &entry, address, {}, port};
    std::memcpy(slot.header.dst, entry.mac.bytes.data(), sizeof slot.header.dst);
    std::memcpy(slot.header.src, own.bytes.data(), sizeof slot.header.src);
    slot.header.type = rte_cpu_to_be_16(kEtherTypeIpv4);
  }

 private:
  static constexpr std::size_t kNumSlots = 256;

  struct alignas(64) Slot {
    std::uint64_t version = 0;  // of the table; 0: empty
    std::uint64_t fresh_until_ms = 0;
    NeighbourTable::Entry* entry = nullptr;  // valid as long as the version is
    rte_be32_t address = 0;
    EtherHeader header{};
    std::uint8_t port = 0;
  };

  static std::size_t place(std::uint8_t port, rte_be32_t address) {
    const std::uint32_t mixed = (address ^ port) * 0x9e3779b1u;  // 2^32 / golden ratio (Knuth, 6.4)
    return mixed >> 24;
  }
  static_assert(kNumSlots == 1u << 8);

  std::array<Slot, kNumSlots> slots_{};
};

}  // namespace gate96
