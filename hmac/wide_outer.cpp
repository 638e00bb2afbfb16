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

using OuterState = std::uint32_t[sha1::kStateWords][kGroup];

// The outer midstates of the first `number` finished messages. Where the messages ended in order these lie
// side by side.
GATE96_AVX512 void load_keys(const WideState& w, std::size_t number, OuterState& h) {
  const __m512i positions = _mm512_load_si512(w.finished);
  const __m512i in_order =
      _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(w.finished[0])),
                       _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const auto wanted = static_cast<__mmask16>((1u << number) - 1);
  const bool side_by_side = _mm512_mask_cmpneq_epi32_mask(wanted, positions, in_order) == 0;
  for (std::size_t i = 0; i < sha1::kStateWords; ++i) {
    const std::uint32_t* keys = w.key[sha1::kStateWords + i];
    const __m512i row = side_by_side
                            ? _mm512_loadu_si512(keys + w.finished[0])
                            : _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), wanted, positions, keys, 4);
    _mm512_store_si512(h[i], row);
  }
}

GATE96_AVX512 void drop_group(WideState& w, std::size_t number) {
  w.num_finished -= number;
  if (w.num_finished == 0) return;
  for (auto& row : w.digest) _mm512_store_si512(row, _mm512_loadu_si512(row + number));
  _mm512_store_si512(w.finished, _mm512_loadu_si512(w.finished + number));
}

}  // namespace

std::uint64_t finish_outer_hashes(Work& work, const Leg& leg, std::size_t least) {
  WideState& w = work.wide;
  std::uint64_t num_done = 0;
  alignas(64) OuterState h;
  while (w.num_finished >= least && w.num_finished > 0) {
    const std::size_t number = std::min<std::size_t>(w.num_finished, leg.backend->lanes);
    load_keys(w, number, h);
    number > 8 ? gate96_sha1_avx512_x16_outer(h, w.digest) : gate96_sha1_avx512vl_x8_outer(h, w.digest);
    for (std::size_t i = 0; i < number; ++i) store_icv(work.job(w.finished[i]), h[0][i], h[1][i], h[2][i]);
    leg.telemetry->count(leg.row, number, 1);
    drop_group(w, number);
    num_done += number;
  }
  return num_done;
}

void wipe_wide(WideState& w) {
  if (w.num_used == 0) return;
  const __m512i zero = _mm512_setzero_si512();
  for (auto& row : w.key) {
    for (std::size_t i = 0; i < w.num_used; i += kGroup) _mm512_store_si512(row + i, zero);
  }
  for (auto& row : w.lanes.h) _mm512_store_si512(row, zero);
  for (auto& row : w.digest) {
    _mm512_store_si512(row, zero);
    _mm512_store_si512(row + kGroup, zero);
  }
  asm volatile("" : : "r"(&w) : "memory");  // the stores may not be left out
  w.num_used = 0;
}

}  // namespace gate96::hmac

#endif
