// SPDX-License-Identifier: BSD-3-Clause
// What the tests of this folder share.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "sha1/select.h"
#include "sha1/sha1.h"

namespace gate96::sha1 {

/// The usable rows with one lane, or with more.
inline std::vector<const Backend*> single_streams() {
  std::vector<const Backend*> rows = Selection::instance().usable();
  std::erase_if(rows, [](const Backend* b) { return b->lanes > 1; });
  return rows;
}
inline std::vector<const Backend*> multi_buffers() {
  return Selection::instance().with_lanes();
}

/// Byte i is 7 i + i / 256 modulo 256.
inline std::vector<std::uint8_t> pattern(std::size_t len) {
  std::vector<std::uint8_t> data(len);
  for (std::size_t i = 0; i < len; ++i) data[i] = static_cast<std::uint8_t>(7 * i + (i >> 8));
  return data;
}

inline std::vector<std::uint8_t> from_hex(std::string_view hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

inline std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string hex;
  for (std::uint8_t b : bytes) {
    hex += "0123456789abcdef"[b >> 4];
    hex += "0123456789abcdef"[b & 15];
  }
  return hex;
}

/// One page that may be read and written between two that may not be touched.
class GuardedPage {
 public:
  GuardedPage() {
    void* base = mmap(nullptr, 3 * len_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    base_ = static_cast<std::uint8_t*>(base);
    if (base == MAP_FAILED || mprotect(begin(), len_, PROT_READ | PROT_WRITE) != 0) abort();
  }
  ~GuardedPage() { munmap(base_, 3 * len_); }
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  [[nodiscard]] std::uint8_t* begin() const { return base_ + len_; }
  [[nodiscard]] std::uint8_t* end() const { return begin() + len_; }

 private:
  std::size_t len_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::uint8_t* base_;
};

/// The state in one lane.
inline State lane_state(const LaneState& lanes, std::size_t lane) {
  State state{};
  for (std::size_t word = 0; word < kStateWords; ++word) state.h[word] = lanes.h[word][lane];
  return state;
}

inline void set_lane(LaneState& lanes, std::size_t lane, const State& state, const std::uint8_t* next) {
  for (std::size_t word = 0; word < kStateWords; ++word) lanes.h[word][lane] = state.h[word];
  lanes.next[lane] = next;
}

}  // namespace gate96::sha1
