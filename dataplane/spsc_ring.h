// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>

namespace gate96 {

/// A bounded queue between one producing and one consuming thread, without locks or allocation.
template <class T, std::size_t kSize>
class SpscRing {
 public:
  static_assert(std::has_single_bit(kSize));

  /// Producer. False when full.
  bool push(const T& item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kSize) return false;
    items_[tail % kSize] = item;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  /// Consumer. False when empty.
  bool pop(T& item) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    item = items_[head % kSize];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  std::array<T, kSize> items_;
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::atomic<std::size_t> tail_{0};
};

}  // namespace gate96
