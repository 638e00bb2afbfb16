// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "hmac/work.h"

namespace gate96::hmac {
namespace {

constexpr std::uint32_t kBuckets = 512;  // longer messages count as equal; 511 blocks are 32 KiB

constexpr std::size_t kFew = 8;  // messages

constexpr auto kInOrder = [] {
  std::array<std::uint8_t, kMaxBurst> order{};
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  return order;
}();

using Blocks = std::array<std::uint32_t, kMaxBurst>;

struct Range {
  std::uint32_t low = kBuckets - 1;
  std::uint32_t high = 0;
};

Range count_blocks(Work& work, Blocks& blocks) {
  Range range;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < work.jobs.size(); ++i) {
    const std::uint64_t num_blocks = num_inner_blocks(work.jobs[i]);
    sum += num_blocks;
    blocks[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(num_blocks, kBuckets - 1));
    range.low = std::min(range.low, blocks[i]);
    range.high = std::max(range.high, blocks[i]);
  }
  work.num_blocks = sum;
  return range;
}

// A counting sort over the lengths that occur. Stable.
void sort_descending(Work& work, const Blocks& blocks, Range range) {
  std::array<std::uint16_t, kBuckets> first;
  std::fill(first.begin() + range.low, first.begin() + range.high + 1, 0);
  for (std::size_t i = 0; i < work.jobs.size(); ++i) ++first[blocks[i]];
  std::uint16_t begin = 0;
  for (std::uint32_t bucket = range.high + 1; bucket-- > range.low;) {
    begin = static_cast<std::uint16_t>(begin + std::exchange(first[bucket], begin));
  }
  for (std::size_t i = 0; i < work.jobs.size(); ++i)
    work.order[first[blocks[i]]++] = static_cast<std::uint8_t>(i);
}

// The same, by insertion: of a few messages the counts of all lengths between cost more.
void sort_few(Work& work, const Blocks& blocks) {
  for (std::size_t i = 0; i < work.jobs.size(); ++i) {
    std::size_t at = i;
    for (; at > 0 && blocks[work.order[at - 1]] < blocks[i]; --at) work.order[at] = work.order[at - 1];
    work.order[at] = static_cast<std::uint8_t>(i);
  }
}

void begin_single(Work& work) {
  work.num_blocks = num_inner_blocks(work.jobs[0]);
  work.longest = static_cast<std::uint32_t>(std::min<std::uint64_t>(work.num_blocks, kBuckets - 1));
  work.equal_lengths = true;
  work.order[0] = 0;
}

}  // namespace

void begin_work(Work& work, std::span<Job> jobs) {
  if (jobs.size() > kMaxBurst || work.num_waiting() > 0) abort();
  work.jobs = jobs;
  work.num_taken = 0;
  work.wide.num_prepared = 0;
  if (jobs.size() == 1) return begin_single(work);
  Blocks blocks;
  const Range range = count_blocks(work, blocks);
  work.longest = range.high;
  work.equal_lengths = range.low >= range.high;
  if (work.equal_lengths) {
    std::copy_n(kInOrder.begin(), jobs.size(), work.order.begin());
  } else if (jobs.size() <= kFew) {
    sort_few(work, blocks);
  } else {
    sort_descending(work, blocks, range);
  }
}

}  // namespace gate96::hmac
