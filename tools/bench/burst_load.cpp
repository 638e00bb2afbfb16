// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/burst_load.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "tools/bench/subject.h"

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

}  // namespace

std::vector<std::size_t> burst_lengths(Size size, std::size_t n) {
  if (!size.imix) return std::vector<std::size_t>(n, size.bytes);
  const std::vector<std::size_t> dozen = imix_dozen();
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < std::lcm(n, dozen.size()); ++i) lengths.push_back(dozen[i % dozen.size()]);
  std::shuffle(lengths.begin(), lengths.end(), std::mt19937(96));
  return lengths;
}

BurstLoad::BurstLoad(Size size, std::size_t n) : n_(n) {
  const std::vector<std::size_t> lengths = burst_lengths(size, n);
  const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
  const std::size_t stride = std::max(kBufferMin, (longest + 63) / 64 * 64) + kBufferExtra;
  buffers_ = test_bytes(stride * lengths.size());
  keys_.resize(lengths.size());
  std::mt19937 random(20);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    packets_.push_back({buffers_.data() + i * stride, static_cast<std::uint32_t>(lengths[i])});
    for (std::uint8_t& byte : keys_[i]) byte = static_cast<std::uint8_t>(random());
  }
}

double BurstLoad::mean_len() const {
  const std::size_t sum = std::accumulate(packets_.begin(), packets_.end(), std::size_t{0},
                                          [](std::size_t total, const Packet& p) { return total + p.len; });
  return static_cast<double>(sum) / static_cast<double>(packets_.size());
}

}  // namespace gate96::bench
