// SPDX-License-Identifier: BSD-3-Clause
// The functions of this folder as C++ sees them: gate96_sha1_NAME from NAME.S, and the end of its code. Block
// and lane functions obey the contracts in sha1/state.h; what CPU each needs is in the backend table.
#pragma once

#include "sha1/state.h"

extern "C" {

#define GATE96_ASM_BLOCK_FN(name)                                                                    \
  void gate96_sha1_##name(std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks); \
  extern const char gate96_sha1_##name##_end[]
#define GATE96_ASM_LANE_FN(name)                                                   \
  void gate96_sha1_##name(gate96::sha1::LaneState* lanes, std::size_t num_blocks); \
  extern const char gate96_sha1_##name##_end[]

#if defined(__x86_64__)
GATE96_ASM_BLOCK_FN(x86_64);
GATE96_ASM_BLOCK_FN(ssse3);
GATE96_ASM_BLOCK_FN(avx);
GATE96_ASM_BLOCK_FN(avx2);
GATE96_ASM_BLOCK_FN(sha_ni);
GATE96_ASM_LANE_FN(sha_ni_x2);
GATE96_ASM_LANE_FN(sha_ni_x4);
GATE96_ASM_LANE_FN(avx2_x8);
GATE96_ASM_LANE_FN(avx512vl_x8);
GATE96_ASM_LANE_FN(avx512_x16);
GATE96_ASM_LANE_FN(avx512_loop_x16);
GATE96_ASM_LANE_FN(avx512_loop_x32);
// Called by these two.
extern const char gate96_sha1_avx512_loop_x16_rounds[], gate96_sha1_avx512_loop_x16_rounds_end[];
extern const char gate96_sha1_avx512_loop_x32_rounds[], gate96_sha1_avx512_loop_x32_rounds_end[];
#endif

#if defined(__x86_64__)
/// Outer hashes of HMAC, for hmac and not in the table. Each needs what the backend of that name needs.
void gate96_sha1_sha_ni_outer(std::uint32_t* state, const std::uint32_t* outer);
void gate96_sha1_avx512vl_x8_outer(std::uint32_t (*h)[32], const std::uint32_t (*digest)[64]);
void gate96_sha1_avx512_x16_outer(std::uint32_t (*h)[32], const std::uint32_t (*digest)[64]);
void gate96_sha1_avx512_loop_x16_outer(std::uint32_t (*h)[32], const std::uint32_t (*digest)[64],
                                       std::uint32_t (*schedule)[32], std::uint32_t (*words)[32]);
void gate96_sha1_avx512_loop_x32_outer(std::uint32_t (*h)[32], const std::uint32_t (*digest)[64],
                                       std::uint32_t (*schedule)[32], std::uint32_t (*words)[32]);
#elif defined(__i386__)
GATE96_ASM_BLOCK_FN(i486);
#endif

#undef GATE96_ASM_BLOCK_FN
#undef GATE96_ASM_LANE_FN

}  // extern "C"
