// SPDX-License-Identifier: BSD-3-Clause
// Who has which MAC address on which link, and when to ask again. One table per worker; no I/O, no clock of
// its own.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "dataplane/address.h"

namespace gate96 {

/// Times in milliseconds of any one monotonic clock.
inline constexpr std::uint64_t kAskIntervalMs = 1000;  // between requests for one address (RFC 1122 2.3.2.1)
inline constexpr unsigned kMaxAsks = 3;            // unanswered requests until the neighbour is unreachable
inline constexpr std::uint64_t kFreshMs = 30'000;  // an answer is not doubted for so long
inline constexpr std::uint64_t kUnusedMs = 5'000;  // unused for so long, an entry may make room
inline constexpr std::size_t kMaxNeighbours = 4096;

class NeighbourTable {
 public:
  struct Entry {
    MacAddress mac;
    bool known = false;
    bool fixed = false;              // from the configuration: never asked for, never changed
    std::uint64_t confirmed_ms = 0;  // last heard from
    std::uint64_t used_ms = 0;
    std::uint64_t asked_ms = 0;
    unsigned asks = 0;  // since last heard from

    /// Until then nobody has to ask. Precondition: known.
    [[nodiscard]] std::uint64_t fresh_until_ms() const {
      return fixed ? ~std::uint64_t{0} : confirmed_ms + kFreshMs;
    }
  };
  struct Key {
    std::uint8_t port;
    IpAddress address;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  NeighbourTable();

  void add_fixed(std::uint8_t port, const IpAddress& address, const MacAddress& mac);

  struct Route {
    const MacAddress* mac;  // null: not known yet
    bool ask;               // send a request now
    bool failed;            // kMaxAsks requests went unanswered
    Entry* entry;           // null: the table is full
  };
  /// For a packet that wants to go to `address` now. An entry is made if there is none; `failed` if the table
  /// is full.
  Route use(std::uint8_t port, const IpAddress& address, std::uint64_t now_ms);

  /// `address` was heard from. Without `create` only an existing entry changes (RFC 826: merge flag). True if
  /// the table now knows it.
  bool learn(std::uint8_t port, const IpAddress& address, const MacAddress& mac, std::uint64_t now_ms,
             bool create);

  /// While it stays the same, no entry goes away and no MAC address changes. Never 0.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  [[nodiscard]] const std::unordered_map<Key, Entry, Hash>& entries() const { return entries_; }

 private:
  Entry* find_or_make(const Key& key, std::uint64_t now_ms);  // null: full
  void make_room(std::uint64_t now_ms);

  std::unordered_map<Key, Entry, Hash> entries_;
  const Key* last_key_ = nullptr;  // of the last use(): bursts mostly share a next hop
  Entry* last_ = nullptr;
  std::uint64_t next_sweep_ms_ = 0;
  std::uint64_t version_ = 1;
};

}  // namespace gate96
