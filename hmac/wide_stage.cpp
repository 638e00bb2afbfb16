// SPDX-License-Identifier: BSD-3-Clause
// The first block of a leg. There are no rounds yet beside which the backend could transpose it word by word,
// and loading rows that were stored by words would wait for all the stores: here shuffles are three times
// faster.
#include "asm/functions.h"
#include "hmac/wide.h"

#if defined(__x86_64__)

namespace gate96::hmac {
namespace {

/// Of four lanes: c[j] holds words j, 4 + j, 8 + j and 12 + j of each, a word of all four in 128 bits.
struct FourLanes {
  __m512i c[4];
};

GATE96_AVX512 inline __m512i load_block(const std::uint8_t* block) {
  const __m512i swap =
      _mm512_broadcast_i32x4(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  return _mm512_shuffle_epi8(_mm512_loadu_si512(block), swap);
}

GATE96_AVX512 inline FourLanes load_lanes(const std::uint8_t* const* blocks) {
  const __m512i r0 = load_block(blocks[0]), r1 = load_block(blocks[1]);
  const __m512i r2 = load_block(blocks[2]), r3 = load_block(blocks[3]);
  const __m512i low01 = _mm512_unpacklo_epi32(r0, r1), high01 = _mm512_unpackhi_epi32(r0, r1);
  const __m512i low23 = _mm512_unpacklo_epi32(r2, r3), high23 = _mm512_unpackhi_epi32(r2, r3);
  return {{_mm512_unpacklo_epi64(low01, low23), _mm512_unpackhi_epi64(low01, low23),
           _mm512_unpacklo_epi64(high01, high23), _mm512_unpackhi_epi64(high01, high23)}};
}

GATE96_AVX512 void stage_16(sha1::LaneState& lanes) {
  const FourLanes a = load_lanes(lanes.next), b = load_lanes(lanes.next + 4);
  const FourLanes c = load_lanes(lanes.next + 8), d = load_lanes(lanes.next + 12);
  auto& rows = lanes.words[0];
  for (std::size_t j = 0; j < 4; ++j) {
    const __m512i ab_low = _mm512_shuffle_i32x4(a.c[j], b.c[j], 0x44);
    const __m512i ab_high = _mm512_shuffle_i32x4(a.c[j], b.c[j], 0xee);
    const __m512i cd_low = _mm512_shuffle_i32x4(c.c[j], d.c[j], 0x44);
    const __m512i cd_high = _mm512_shuffle_i32x4(c.c[j], d.c[j], 0xee);
    _mm512_store_si512(rows[j], _mm512_shuffle_i32x4(ab_low, cd_low, 0x88));
    _mm512_store_si512(rows[4 + j], _mm512_shuffle_i32x4(ab_low, cd_low, 0xdd));
    _mm512_store_si512(rows[8 + j], _mm512_shuffle_i32x4(ab_high, cd_high, 0x88));
    _mm512_store_si512(rows[12 + j], _mm512_shuffle_i32x4(ab_high, cd_high, 0xdd));
  }
}

GATE96_AVX512 inline void store_halves(std::uint32_t* low, std::uint32_t* high, __m512i both) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(low), _mm512_castsi512_si256(both));
  _mm256_store_si256(reinterpret_cast<__m256i*>(high), _mm512_extracti64x4_epi64(both, 1));
}

GATE96_AVX512 void stage_8(sha1::LaneState& lanes) {
  const FourLanes a = load_lanes(lanes.next), b = load_lanes(lanes.next + 4);
  auto& rows = lanes.words[0];
  for (std::size_t j = 0; j < 4; ++j) {
    const __m512i even = _mm512_shuffle_i32x4(a.c[j], b.c[j], 0x88),
                  odd = _mm512_shuffle_i32x4(a.c[j], b.c[j], 0xdd);
    store_halves(rows[j], rows[8 + j], _mm512_shuffle_i32x4(even, even, 0xd8));
    store_halves(rows[4 + j], rows[12 + j], _mm512_shuffle_i32x4(odd, odd, 0xd8));
  }
}

}  // namespace

void stage_blocks(sha1::LaneState& lanes, const sha1::Backend& backend) {
  lanes.half = 0;
  lanes.staged = 1;
  if (backend.lane == gate96_sha1_avx512vl_x8) return stage_8(lanes);
  if (backend.lane == gate96_sha1_avx512_x16) return stage_16(lanes);
  lanes.staged = 0;
}

}  // namespace gate96::hmac

#endif
