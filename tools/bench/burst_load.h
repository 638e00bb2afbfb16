// SPDX-License-Identifier: BSD-3-Clause
// The packets of a burst point: the same bytes and keys for ours and every rival.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hmac/burst.h"
#include "tools/bench/row.h"
#include "tools/bench/subject.h"

namespace gate96::bench {

inline constexpr std::size_t kKeyLen = 20;  // RFC 2404 3

using Icv = std::array<std::uint8_t, hmac::kIcvLen>;

/// One or more bursts of `n` packets. Fixed sizes: one burst. IMIX: as many as it takes to hold whole dozens
/// of 7 x 64, 4 x 594 and 1418 bytes, in random order. Every packet lies in a buffer and has a key of its
/// own.
class BurstLoad {
 public:
  BurstLoad(Size size, std::size_t n);

  struct Packet {
    const std::uint8_t* data;
    std::uint32_t len;
  };

  [[nodiscard]] std::size_t n() const { return n_; }
  [[nodiscard]] std::span<const Packet> packets() const { return packets_; }
  [[nodiscard]] std::span<const std::array<std::uint8_t, kKeyLen>> keys() const { return keys_; }
  [[nodiscard]] double mean_len() const;

 private:
  BurstLoad(const std::vector<std::size_t>& lengths, std::size_t n);

  std::size_t n_;
  TestBytes buffers_;
  std::vector<Packet> packets_;
  std::vector<std::array<std::uint8_t, kKeyLen>> keys_;
};

/// The lengths of a load, in packet order.
std::vector<std::size_t> burst_lengths(Size size, std::size_t n);

}  // namespace gate96::bench
