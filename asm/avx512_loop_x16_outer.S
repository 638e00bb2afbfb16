// SPDX-License-Identifier: BSD-3-Clause
// The outer hash of HMAC-SHA1 in 16 lanes, over the rounds of avx512_loop_x16.
//
//   void gate96_sha1_avx512_loop_x16_outer(uint32_t h[5][32], const uint32_t digest[5][64],
//                                          uint32_t schedule[85][32], uint32_t words[16][32]);
//
// Contract in asm/avx512_loop_outer.inc; columns 0..15 of each. Needs AVX512F and AVX512BW.

.set kVectors, 1

#include "asm/func.inc"
#include "asm/avx512_loop_outer.inc"

FUNC_BEGIN gate96_sha1_avx512_loop_x16_outer
	LOOP_OUTER gate96_sha1_avx512_loop_x16_rounds
FUNC_END gate96_sha1_avx512_loop_x16_outer

	.section .rodata.gate96_sha1_avx512_loop_x16_outer, "a", @progbits
	OUTER_CONSTANTS

	.section .note.GNU-stack, "", @progbits
