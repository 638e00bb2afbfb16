// SPDX-License-Identifier: BSD-3-Clause
// The short way for 8 to 32 lanes, as alike.cpp is for few: messages in one piece with their blocks in the
// same places start and end together, so nothing is planned, and no lane is refilled on its own.
#include "hmac/wide.h"

#if defined(__x86_64__)

#include <algorithm>

#include "hmac/avx512.h"
#include "hmac/driver.h"
#include "hmac/wide_prepare.h"

namespace gate96::hmac {
namespace {

/// Of the first `number` in a vector.
GATE96_AVX512 bool all_are(const std::uint32_t* numbers, std::size_t number, std::uint32_t value) {
  const __mmask16 lanes = lanes_from(first_lanes(std::min(number, kVectorLanes)), 0);
  const __m512i wanted = _mm512_set1_epi32(static_cast<int>(value));
  return _mm512_mask_cmpneq_epu32_mask(lanes, _mm512_loadu_si512(numbers), wanted) == 0;
}

class WideAlike {
 public:
  WideAlike(Work& work, const Leg& leg)
      : work_(work), w_(work.wide), leg_(leg), num_lanes_(leg.backend->lanes) {}

  GATE96_AVX512 std::uint64_t run();

 private:
  GATE96_AVX512 bool take_group();
  GATE96_AVX512 void absorb(std::uint32_t num_blocks, bool look_ahead);
  GATE96_AVX512 void point_to_firsts(const std::uint8_t** pointers, std::size_t position) const;
  GATE96_AVX512 void point_to_slots(const std::uint8_t** pointers) const;
  GATE96_AVX512 void load_keys();
  GATE96_AVX512 void collect();

  [[nodiscard]] std::size_t num_left() const { return work_.jobs.size() - work_.num_taken; }

  Work& work_;
  WideState& w_;
  const Leg& leg_;
  const std::size_t num_lanes_;
  std::size_t first_ = 0;   // position of the message in lane 0
  std::size_t number_ = 0;  // of lanes in use; the others alias lane 0
  std::uint32_t body_ = 0;  // blocks of the first run
  std::uint32_t then_ = 0;  // blocks in the slot after it
  std::uint64_t absorbed_ = 0;
};

std::uint64_t WideAlike::run() {
  work_.lanes.staged = 0;
  w_.num_prepared = std::max(w_.num_prepared, work_.num_taken);
  while (num_left() > leg_.floor && take_group()) {
    if (work_.lanes.staged == 0) {
      point_to_firsts(work_.lanes.next, first_);
      stage_blocks(work_.lanes, *leg_.backend);
    }
    load_keys();
    if (then_ != 0) {
      point_to_slots(work_.lanes.after);
      absorb(body_, true);
    }
    const bool goes_on = num_left() > leg_.floor;
    if (goes_on) point_to_firsts(work_.lanes.after, work_.num_taken);
    absorb(then_ != 0 ? then_ : body_, goes_on);
    collect();
    absorbed_ += finish_outer_hashes(work_, leg_, 1);
  }
  return absorbed_;
}

// False if the next messages are not alike or the budget has no room for all of each.
bool WideAlike::take_group() {
  const std::size_t first = work_.num_taken;
  const std::size_t number = std::min(num_lanes_, num_left());
  // A group ahead, so that the last block of this one can transpose the first of that.
  const std::size_t wanted = std::min(first + number + num_lanes_, work_.jobs.size());
  while (w_.num_prepared < wanted) prepare_group(work_);
  body_ = w_.first_blocks[first];
  then_ = w_.first_then[first];
  for (std::size_t i = 0; i < number; i += kVectorLanes) {
    if (!all_are(w_.first_blocks + first + i, number - i, body_)) return false;
    if (!all_are(w_.first_then + first + i, number - i, then_)) return false;
  }
  if (then_ == kChain || number * (std::uint64_t{body_} + then_ + 1) > leg_.max_blocks - absorbed_)
    return false;
  first_ = first;
  number_ = number;
  work_.num_taken += number;
  return true;
}

void WideAlike::absorb(std::uint32_t num_blocks, bool look_ahead) {
  work_.lanes.look_ahead = look_ahead;
  leg_.backend->lane(&work_.lanes, num_blocks);
  leg_.telemetry->count(leg_.row, number_, num_blocks);
  absorbed_ += number_ * std::uint64_t{num_blocks};
}

void WideAlike::point_to_firsts(const std::uint8_t** pointers, std::size_t position) const {
  const std::size_t number = std::min(num_lanes_, work_.jobs.size() - position);
  const __m512i alias = _mm512_set1_epi64(reinterpret_cast<std::intptr_t>(w_.first[position]));
  for (std::size_t lane = 0; lane < num_lanes_; lane += 8) {
    const auto in_use = static_cast<__mmask8>(first_lanes(number) >> lane);
    const __m512i first = _mm512_loadu_si512(w_.first + position + lane);
    _mm512_store_si512(pointers + lane, _mm512_mask_mov_epi64(alias, in_use, first));
  }
}

void WideAlike::point_to_slots(const std::uint8_t** pointers) const {
  for (std::size_t lane = 0; lane < num_lanes_; ++lane)
    pointers[lane] = work_.slots[first_ + (lane < number_ ? lane : 0)].data();
}

// A vector as wide as the backend loads it: a wider load would wait for a narrower store.
void WideAlike::load_keys() {
  for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
    for (std::size_t i = 0; i < num_lanes_; i += kVectorLanes) {
      const __m512i row = _mm512_loadu_si512(w_.key[word] + first_ + i);
      std::uint32_t* h = work_.lanes.h[word] + i;
      num_lanes_ == 8 ? _mm256_store_si256(reinterpret_cast<__m256i*>(h), _mm512_castsi512_si256(row))
                      : _mm512_store_si512(h, row);
    }
  }
}

void WideAlike::collect() {
  for (std::size_t i = 0; i < num_lanes_; i += kVectorLanes) {
    for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
      const std::uint32_t* h = work_.lanes.h[word] + i;
      std::uint32_t* digest = w_.digest[word] + i;
      if (num_lanes_ == 8) {
        _mm256_store_si256(reinterpret_cast<__m256i*>(digest),
                           _mm256_load_si256(reinterpret_cast<const __m256i*>(h)));
      } else {
        _mm512_store_si512(digest, _mm512_load_si512(h));
      }
    }
    _mm512_store_si512(w_.finished + i, count_from(first_ + i));
  }
  w_.num_finished = number_;
}

}  // namespace

std::uint64_t run_wide_alike(Work& work, const Leg& leg) {
  return work.equal_lengths && work.num_begun == 0 ? WideAlike(work, leg).run() : 0;
}

}  // namespace gate96::hmac

#endif
