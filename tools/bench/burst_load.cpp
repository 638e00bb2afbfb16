// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/burst_load.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace gate96::bench {
namespace {

// Room before and after the packet and the descriptor, as in DPDK's default mbuf: neighbours do not share
// cache sets in step.
constexpr std::size_t kBufferExtra = 256;
constexpr std::size_t kBufferMin = 2048;

std::vector<std::size_t> imix_dozen() {
  std::vector<std::size_t> dozen(7, 64);
  dozen.insert(dozen.end(), 4, 594);
  dozen.push_back(1418);
  return dozen;
}

std::size_t stride_of(const std::vector<std::size_t>& lengths) {
  const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
  return std::max(kBufferMin, (longest + 63) / 64 * 64) + kBufferExtra;
}

}  // namespace

std::vector<std::size_t> burst_lengths(Size size, std::size_t n) {
  if (!size.imix) return std::vector<std::size_t>(n, size.bytes);
  const std::vector<std::size_t> dozen = imix_dozen();
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < std::lcm(n, dozen.size()); ++i) lengths.push_back(dozen[i % dozen.size()]);
  std::shuffle(lengths.begin(), lengths.end(), std::mt19937(96));
  return lengths;
}

BurstLoad::BurstLoad(Size size, std::size_t n) : BurstLoad(burst_lengths(size, n), n) {}

BurstLoad::BurstLoad(const std::vector<std::size_t>& lengths, std::size_t n)
    : n_(n), buffers_(stride_of(lengths) * lengths.size()), keys_(lengths.size()) {
  std::mt19937 random(20);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    packets_.push_back(
        {buffers_.all().data() + i * stride_of(lengths), static_cast<std::uint32_t>(lengths[i])});
    for (std::uint8_t& byte : keys_[i]) byte = static_cast<std::uint8_t>(random());
  }
}

double BurstLoad::mean_len() const {
  const std::size_t sum = std::accumulate(packets_.begin(), packets_.end(), std::size_t{0},
                                          [](std::size_t total, const Packet& p) { return total + p.len; });
  return static_cast<double>(sum) / static_cast<double>(packets_.size());
}

}  // namespace gate96::bench
