// SPDX-License-Identifier: BSD-3-Clause
// The intrinsics, and the mark for functions that use them.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)

#pragma GCC diagnostic push
// gcc 12 complains of the "undefined" vectors in its own header.
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

/// Marks a function that may use these instructions wherever it stands in a file built for any CPU. Its
/// callers have asked wide_driver_usable(). No lambdas inside: they would not inherit the mark.
#define GATE96_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,bmi,bmi2,popcnt")))

namespace gate96::hmac {

inline constexpr std::size_t kVectorLanes = 16;  // of 32 bits in a vector

/// The bits of the first `number` lanes, at most 32.
GATE96_AVX512 inline std::uint32_t first_lanes(std::size_t number) {
  return _bzhi_u32(~0u, static_cast<unsigned>(number));
}

/// Of a bit a lane, those of the lanes from `begin` on.
GATE96_AVX512 inline __mmask16 lanes_from(std::uint32_t lanes, std::size_t begin) {
  return static_cast<__mmask16>(lanes >> begin);
}

/// begin, begin + 1, and so on.
GATE96_AVX512 inline __m512i count_from(std::size_t begin) {
  return _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(begin)),
                          _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

}  // namespace gate96::hmac

#else
#define GATE96_AVX512
#endif
