// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/neighbour.h"

#include <cstring>

namespace gate96 {

NeighbourTable::NeighbourTable() {
  entries_.reserve(kMaxNeighbours);
}

std::size_t NeighbourTable::Hash::operator()(const Key& key) const {
  std::uint64_t words[2];
  std::memcpy(words, key.address.bytes.data(), sizeof words);
  std::uint64_t hash = words[0] ^ (words[1] * 0x9e3779b97f4a7c15u) ^ key.port;
  hash *= 0xff51afd7ed558ccdu;  // the finalizer of MurmurHash3
  return hash ^ (hash >> 33);
}

void NeighbourTable::add_fixed(std::uint8_t port, const IpAddress& address, const MacAddress& mac) {
  Entry& entry = entries_[{port, address}];
  entry = Entry{};
  entry.mac = mac;
  entry.known = entry.fixed = true;
  ++version_;
}

void NeighbourTable::make_room(std::uint64_t now_ms) {
  if (now_ms < next_sweep_ms_) return;  // a scan of the link must not make every packet sweep
  next_sweep_ms_ = now_ms + kAskIntervalMs;
  std::erase_if(entries_, [now_ms](const auto& item) {
    return !item.second.fixed && now_ms - item.second.used_ms > kUnusedMs;
  });
  last_ = nullptr;
  ++version_;
}

NeighbourTable::Entry* NeighbourTable::find_or_make(const Key& key, std::uint64_t now_ms) {
  if (last_ != nullptr && *last_key_ == key) [[likely]]
    return last_;
  auto found = entries_.find(key);
  if (found == entries_.end()) {
    if (entries_.size() >= kMaxNeighbours) make_room(now_ms);
    if (entries_.size() >= kMaxNeighbours) return nullptr;
    found = entries_.emplace(key, Entry{}).first;
    found->second.used_ms = now_ms;
  }
  last_key_ = &found->first;
  last_ = &found->second;
  return last_;
}

NeighbourTable::Route NeighbourTable::use(std::uint8_t port, const IpAddress& address, std::uint64_t now_ms) {
  Entry* const found = find_or_make({port, address}, now_ms);
  if (found == nullptr) return {nullptr, false, true, nullptr};
  Entry& entry = *found;
  entry.used_ms = now_ms;
  if (entry.known && now_ms <= entry.fresh_until_ms()) [[likely]]
    return {&entry.mac, false, false, found};
  const MacAddress* const doubted = entry.known ? &entry.mac : nullptr;
  const bool may_ask = entry.asks == 0 || now_ms - entry.asked_ms >= kAskIntervalMs;
  if (!may_ask) return {doubted, false, false, found};
  if (entry.asks >= kMaxAsks) {
    entry.known = false;
    entry.asks = 0;  // a later packet starts over
    return {nullptr, false, true, found};
  }
  ++entry.asks;
  entry.asked_ms = now_ms;
  return {doubted, true, false, found};
}

bool NeighbourTable::learn(std::uint8_t port, const IpAddress& address, const MacAddress& mac,
                           std::uint64_t now_ms, bool create) {
  const Key key{port, address};
  if (!create && !entries_.contains(key)) return false;
  Entry* const found = find_or_make(key, now_ms);
  if (found == nullptr) return false;
  Entry& entry = *found;
  if (entry.fixed) return true;
  version_ += entry.mac != mac;
  entry.mac = mac;
  entry.known = true;
  entry.confirmed_ms = now_ms;
  entry.asks = 0;
  return true;
}

}  // namespace gate96
