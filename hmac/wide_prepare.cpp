// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/wide_prepare.h"

#if defined(__x86_64__)

#include <algorithm>
#include <cstring>

namespace gate96::hmac {
namespace {

// Pads the rest of a message that lies in one place into its slot: the masked load reads nothing outside the
// message. Returns the blocks in the slot.
GATE96_AVX512 inline std::uint32_t fill_slot_masked(Slot& slot, const Job& job) {
  std::size_t len = job.len % sha1::kBlockLen;
  const std::uint8_t* rest = job.data + (job.len - len);
  __m512i block = _mm512_maskz_loadu_epi8(_bzhi_u64(~0ull, static_cast<unsigned>(len)), rest);
  if (!job.has_esn) {
    block = _mm512_mask_blend_epi8(1ull << len, block, _mm512_set1_epi8(static_cast<char>(0x80)));
  }
  _mm512_store_si512(slot.data(), block);
  _mm512_store_si512(slot.data() + sha1::kBlockLen, _mm512_setzero_si512());
  std::uint64_t num_bytes = sha1::kBlockLen + job.len;
  if (job.has_esn) {
    store_be32(slot.data() + len, job.esn_high);
    len += kEsnLen;
    num_bytes += kEsnLen;
    slot[len] = 0x80;
  }
  const std::size_t num_blocks = 1 + (len + 8 >= sha1::kBlockLen);  // FIPS 180-4 5.1.1
  store_be64(slot.data() + num_blocks * sha1::kBlockLen - 8, num_bytes * 8);
  return static_cast<std::uint32_t>(num_blocks);
}

GATE96_AVX512 inline void prepare_whole(Work& work, std::size_t position, const Job& job) {
  WideState& w = work.wide;
  const std::uint32_t body = job.len / sha1::kBlockLen;
  const std::uint32_t in_slot = fill_slot_masked(work.slots[position], job);
  w.first_blocks[position] = body > 0 ? body : in_slot;
  w.first_then[position] = body > 0 ? in_slot : 0;
  w.first[position] = body > 0 ? job.data : work.slots[position].data();
}

void prepare_pieces(Work& work, std::size_t position) {
  const Run run = open_run(work, position);
  work.wide.first_blocks[position] = run.num_blocks;
  work.wide.first_then[position] = run.then_blocks;
  work.wide.first[position] = run.next;
}

// Four rows of four words in each 128-bit lane become four columns.
struct Columns {
  __m512i c[4];
};

GATE96_AVX512 inline Columns columns_of(const std::uint32_t* const* rows) {
  constexpr __mmask16 kWords = 0x3ff;  // both midstates, and nothing behind them
  const __m512i r0 = _mm512_maskz_loadu_epi32(kWords, rows[0]),
                r1 = _mm512_maskz_loadu_epi32(kWords, rows[1]);
  const __m512i r2 = _mm512_maskz_loadu_epi32(kWords, rows[2]),
                r3 = _mm512_maskz_loadu_epi32(kWords, rows[3]);
  const __m512i low01 = _mm512_unpacklo_epi32(r0, r1), high01 = _mm512_unpackhi_epi32(r0, r1);
  const __m512i low23 = _mm512_unpacklo_epi32(r2, r3), high23 = _mm512_unpackhi_epi32(r2, r3);
  return {{_mm512_unpacklo_epi64(low01, low23), _mm512_unpackhi_epi64(low01, low23),
           _mm512_unpacklo_epi64(high01, high23), _mm512_unpackhi_epi64(high01, high23)}};
}

// Ten words of sixteen keys to ten rows of the table.
GATE96_AVX512 inline void transpose_keys(WideState& w, std::size_t position,
                                         const std::uint32_t* const* keys) {
  const Columns a = columns_of(keys), b = columns_of(keys + 4);
  const Columns c = columns_of(keys + 8), d = columns_of(keys + 12);
  for (std::size_t i = 0; i < 4; ++i) {
    const __m512i ab = _mm512_shuffle_i32x4(a.c[i], b.c[i], 0x44),
                  cd = _mm512_shuffle_i32x4(c.c[i], d.c[i], 0x44);
    _mm512_storeu_si512(&w.key[i][position], _mm512_shuffle_i32x4(ab, cd, 0x88));
    _mm512_storeu_si512(&w.key[4 + i][position], _mm512_shuffle_i32x4(ab, cd, 0xdd));
    if (i >= 2) continue;
    const __m512i ab2 = _mm512_shuffle_i32x4(a.c[i], b.c[i], 0xee),
                  cd2 = _mm512_shuffle_i32x4(c.c[i], d.c[i], 0xee);
    _mm512_storeu_si512(&w.key[8 + i][position], _mm512_shuffle_i32x4(ab2, cd2, 0x88));
  }
}

}  // namespace

void prepare_group(Work& work) {
  WideState& w = work.wide;
  const std::size_t begin = w.num_prepared;
  const std::size_t end = std::min(begin + kGroup, work.jobs.size());
  const std::uint32_t* keys[kGroup];
  for (std::size_t i = 0; i < kGroup; ++i) {
    const Job& job = work.job(std::min(begin + i, end - 1));
    keys[i] = job.key->inner().h.data();
  }
  transpose_keys(w, begin, keys);
  for (std::size_t position = begin; position < end; ++position) {
    const Job& job = work.job(position);
    job.num_more == 0 ? prepare_whole(work, position, job) : prepare_pieces(work, position);
  }
  w.num_prepared = end;
  w.num_used = std::max(w.num_used, begin + kGroup);
}

}  // namespace gate96::hmac

#endif
