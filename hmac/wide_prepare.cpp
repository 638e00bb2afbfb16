// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/wide_prepare.h"

#if defined(__x86_64__)

#include <algorithm>
#include <cstring>

namespace gate96::hmac {
namespace {

// fill_slot() with vectors: the masked load reads nothing outside the message.
GATE96_AVX512 inline std::uint32_t fill_slot_masked(Slot& slot, const Job& job) {
  std::size_t len = job.len % sha1::kBlockLen;
  const std::size_t body = job.len <= kShortLen ? job.len / sha1::kBlockLen : 0;
  std::uint8_t* out = slot.data();
  for (std::size_t i = 0; i < body; ++i, out += sha1::kBlockLen) {
    _mm512_store_si512(out, _mm512_loadu_si512(job.data + (out - slot.data())));
  }
  // With nothing to load, an address of our own: one behind the message may be slow even where nothing is
  // loaded.
  const std::uint8_t* rest = len > 0 ? job.data + (job.len - len) : slot.data();
  __m512i block = _mm512_maskz_loadu_epi8(_bzhi_u64(~0ull, static_cast<unsigned>(len)), rest);
  if (job.has_esn) {
    _mm512_store_si512(out, block);
    if (body < 2)
      _mm512_store_si512(out + sha1::kBlockLen, _mm512_setzero_si512());  // else a block is enough
    const std::uint64_t message_len = std::uint64_t{job.len} + kEsnLen;
    return static_cast<std::uint32_t>(body) + finish_slot(out, len, job, message_len);
  }
  block = _mm512_mask_blend_epi8(1ull << len, block, _mm512_set1_epi8(static_cast<char>(0x80)));
  const auto num_bits =
      static_cast<std::int64_t>(__builtin_bswap64((sha1::kBlockLen + std::uint64_t{job.len}) * 8));
  constexpr __mmask8 kLastWord = 0x80;
  if (len + kPaddingLen <= sha1::kBlockLen) {
    _mm512_store_si512(out, _mm512_mask_set1_epi64(block, kLastWord, num_bits));
    return static_cast<std::uint32_t>(body) + 1;
  }
  _mm512_store_si512(out, block);
  _mm512_store_si512(out + sha1::kBlockLen, _mm512_maskz_set1_epi64(kLastWord, num_bits));
  return static_cast<std::uint32_t>(body) + 2;
}

GATE96_AVX512 inline Run prepare_whole(Slot& slot, const Job& job) {
  const std::uint32_t in_slot = fill_slot_masked(slot, job);
  if (job.len <= kShortLen) return {slot.data(), in_slot, 0};
  return {job.data, job.len / static_cast<std::uint32_t>(sha1::kBlockLen), in_slot};
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
  const Job* const jobs = work.jobs.data();
  const std::uint8_t* const order = work.order.data() + begin;
  const std::uint32_t* keys[kGroup];
  for (std::size_t i = 0; i < kGroup; ++i)
    keys[i] = jobs[order[std::min(i, end - begin - 1)]].key->inner().h.data();
  transpose_keys(w, begin, keys);
  for (std::size_t i = 0; i < end - begin; ++i) {
    const Job& job = jobs[order[i]];
    const bool whole = job.num_more == 0;
    const Run run = whole ? prepare_whole(work.slots[begin + i], job) : open_run(work, begin + i);
    w.first[begin + i] = run.next;
    w.first_blocks[begin + i] = run.num_blocks;
    w.first_then[begin + i] = run.then_blocks;
  }
  w.num_prepared = end;
  w.num_used = std::max(w.num_used, begin + kGroup);
}

}  // namespace gate96::hmac

#endif
