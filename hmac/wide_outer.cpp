// SPDX-License-Identifier: BSD-3-Clause
// The second half of wide.cpp: outer hashes, a group at a time.
#include "hmac/wide.h"

#if defined(__x86_64__)

#include <algorithm>

#include "asm/functions.h"
#include "hmac/avx512.h"
#include "hmac/driver.h"

namespace gate96::hmac {
namespace {

// The outer midstates of the messages finished[begin..end), at most a vector of them. Where the messages
// ended in order these lie side by side.
GATE96_AVX512 void load_keys(WideState& w, std::size_t begin, std::size_t end) {
  const __m512i positions = _mm512_load_si512(w.finished + begin);
  const __mmask16 wanted = lanes_from(first_lanes(std::min(end - begin, kVectorLanes)), 0);
  const bool side_by_side =
      _mm512_mask_cmpneq_epi32_mask(wanted, positions, count_from(w.finished[begin])) == 0;
  for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
    const std::uint32_t* keys = w.key[sha1::kStateWords + word];
    const __m512i row = side_by_side
                            ? _mm512_loadu_si512(keys + w.finished[begin])
                            : _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), wanted, positions, keys, 4);
    _mm512_store_si512(w.outer_h[word] + begin, row);
  }
}

GATE96_AVX512 void drop_group(WideState& w, std::size_t number) {
  w.num_finished -= number;
  for (std::size_t i = 0; i < w.num_finished; i += kVectorLanes) {
    for (auto& row : w.digest) _mm512_store_si512(row + i, _mm512_loadu_si512(row + number + i));
    _mm512_store_si512(w.finished + i, _mm512_loadu_si512(w.finished + number + i));
  }
}

template <std::size_t kRows, std::size_t kColumns>
GATE96_AVX512 void wipe_rows(std::uint32_t (&rows)[kRows][kColumns]) {
  for (auto& row : rows) {
    for (std::size_t i = 0; i < kColumns; i += kVectorLanes)
      _mm512_store_si512(row + i, _mm512_setzero_si512());
  }
}

// Of the states and digests in the first `number` lanes, by code that `lane` has brought into the caches.
GATE96_AVX512 void hash(Work& work, sha1::LaneFn lane, std::size_t number) {
  WideState& w = work.wide;
  if (lane == gate96_sha1_avx512_loop_x16 || lane == gate96_sha1_avx512_loop_x32) {
    // words[] is free between two steps, and so are all but the first rows of the schedule.
    const auto outer =
        number > kVectorLanes ? gate96_sha1_avx512_loop_x32_outer : gate96_sha1_avx512_loop_x16_outer;
    outer(w.outer_h, w.digest, work.lanes.schedule + sha1::kBlockLen / 4, work.lanes.words[0]);
    w.schedule_used = true;
  } else {
    number > 8 ? gate96_sha1_avx512_x16_outer(w.outer_h, w.digest)
               : gate96_sha1_avx512vl_x8_outer(w.outer_h, w.digest);
  }
}

}  // namespace

std::uint64_t finish_outer_hashes(Work& work, const Leg& leg, std::size_t least) {
  WideState& w = work.wide;
  std::uint64_t num_done = 0;
  const auto& h = w.outer_h;
  while (w.num_finished >= least && w.num_finished > 0) {
    const std::size_t number = std::min<std::size_t>(w.num_finished, leg.backend->lanes);
    for (std::size_t i = 0; i < number; i += kVectorLanes) load_keys(w, i, number);
    hash(work, leg.backend->lane, number);
    for (std::size_t i = 0; i < number; ++i) store_icv(work.job(w.finished[i]), h[0][i], h[1][i], h[2][i]);
    leg.telemetry->count(leg.row, number, 1);
    drop_group(w, number);
    num_done += number;
  }
  return num_done;
}

void wipe_wide(Work& work) {
  WideState& w = work.wide;
  if (w.num_used == 0) return;
  const __m512i zero = _mm512_setzero_si512();
  for (auto& row : w.key) {
    for (std::size_t i = 0; i < w.num_used; i += kVectorLanes) _mm512_store_si512(row + i, zero);
  }
  wipe_rows(work.lanes.h);
  wipe_rows(w.digest);
  wipe_rows(w.outer_h);
  if (w.schedule_used) wipe_rows(work.lanes.schedule);
  w.schedule_used = false;
  asm volatile("" : : "r"(&w) : "memory");  // the stores may not be left out
  w.num_used = 0;
}

}  // namespace gate96::hmac

#endif
