// SPDX-License-Identifier: BSD-3-Clause
// Anti-replay window over 64-bit sequence numbers, after RFC 6479: a ring of bitmap words of which whole
// words are cleared as the window advances, so no shift by more than a word ever happens.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace gate96 {

enum class ReplayCheck : std::uint8_t { kFresh, kSeen, kTooOld };

class ReplayWindow {
 public:
  /// `window`: 0 (no replay check: everything is fresh), or 32..65536 numbers, of which any count is exact.
  explicit ReplayWindow(unsigned window)
      : window_(window),
        words_(window == 0 ? 1 : std::bit_ceil((window + 63) / 64 + 1)),
        mask_(words_.size() - 1) {}

  [[nodiscard]] unsigned size() const { return window_; }
  [[nodiscard]] std::uint64_t top() const { return top_; }  // highest number accepted; 0: none yet

  /// Could `seq` be valid? Changes nothing (RFC 4303 3.4.3: before the ICV). 0 is never sent, hence seen.
  [[nodiscard]] ReplayCheck check(std::uint64_t seq) const {
    if (window_ == 0) return ReplayCheck::kFresh;
    if (seq == 0) return ReplayCheck::kSeen;
    if (seq > top_) return ReplayCheck::kFresh;
    if (top_ - seq >= window_) return ReplayCheck::kTooOld;
    return (word(seq) >> (seq & 63) & 1) != 0 ? ReplayCheck::kSeen : ReplayCheck::kFresh;
  }

  /// Checks again and, if fresh, records `seq`. Only for packets whose ICV matched.
  ReplayCheck update(std::uint64_t seq) {
    if (window_ == 0) {
      if (seq > top_) top_ = seq;
      return ReplayCheck::kFresh;
    }
    const ReplayCheck result = check(seq);
    if (result != ReplayCheck::kFresh) return result;
    if (seq > top_) advance(seq);
    words_[(seq >> 6) & mask_] |= std::uint64_t{1} << (seq & 63);
    return result;
  }

  /// Begins above `top`: it and everything below counts as seen. For a first number other than 1, and for a
  /// window that goes on without knowledge of which numbers were accepted.
  void start_above(std::uint64_t top) {
    std::ranges::fill(words_, ~std::uint64_t{0});
    words_[(top >> 6) & mask_] = ~std::uint64_t{0} >> (63 - (top & 63));
    top_ = top;
  }

  /// The bitmap, for restore() in a window of the same size.
  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }

  /// Goes on exactly where a window with this top and these words() was. False if they do not fit.
  [[nodiscard]] bool restore(std::uint64_t top, std::span<const std::uint64_t> words) {
    if (words.size() != words_.size()) return false;
    std::ranges::copy(words, words_.begin());
    top_ = top;
    return true;
  }

  /// Goes on where `other`, of any size, has got to. What `other` does not remember counts as seen.
  void succeed(const ReplayWindow& other) {
    top_ = other.top_;
    if (window_ == 0) return;
    std::ranges::fill(words_, 0);
    for (std::uint64_t age = 0; age < window_ && age < top_; ++age) {
      const std::uint64_t seq = top_ - age;
      const bool fresh = other.window_ != 0 && other.check(seq) == ReplayCheck::kFresh;
      if (!fresh) words_[(seq >> 6) & mask_] |= std::uint64_t{1} << (seq & 63);
    }
  }

 private:
  [[nodiscard]] std::uint64_t word(std::uint64_t seq) const { return words_[(seq >> 6) & mask_]; }

  /// Clears the words between the old and the new top; all of them after a jump by more than the ring.
  void advance(std::uint64_t seq) {
    const std::uint64_t steps = (seq >> 6) - (top_ >> 6);
    const std::uint64_t num = steps > mask_ ? mask_ + 1 : steps;
    for (std::uint64_t i = 1; i <= num; ++i) words_[((top_ >> 6) + i) & mask_] = 0;
    top_ = seq;
  }

  unsigned window_;
  std::vector<std::uint64_t> words_;  // one more than the window needs, rounded up to a power of two
  std::uint64_t mask_;
  std::uint64_t top_ = 0;
};

/// The 64-bit number that a received low half stands for, given the highest authenticated number and the
/// window (RFC 4303 appendix A2.2). `window` is at least 1.
[[nodiscard]] constexpr std::uint64_t infer_esn(std::uint64_t top, unsigned window, std::uint32_t seq_low) {
  const auto top_low = static_cast<std::uint32_t>(top);
  const auto top_high = static_cast<std::uint32_t>(top >> 32);
  const std::uint32_t bottom = top_low - window + 1;  // modulo 2^32
  std::uint32_t high = top_high;
  if (top_low >= window - 1) {  // case A: the window lies within one subspace
    if (seq_low < bottom) high = top_high + 1;
  } else if (seq_low >= bottom) {  // case B: it spans two; the upper numbers belong to the one before
    if (top_high > 0) high = top_high - 1;  // numbers below 0 do not exist: ahead in this one, then
  }
  return std::uint64_t{high} << 32 | seq_low;
}

}  // namespace gate96
