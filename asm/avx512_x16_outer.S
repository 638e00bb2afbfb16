// SPDX-License-Identifier: BSD-3-Clause
// The outer hash of HMAC-SHA1 in 16 lanes.
//
//   void gate96_sha1_avx512_x16_outer(uint32_t h[5][32], const uint32_t digest[5][64]);
//
// h: midstates in, states out. digest: inner digests. Columns 0..15 of both. Needs AVX512F. Registers as in
// asm/avx512_outer.inc.

#include "asm/func.inc"
#include "asm/avx512_outer.inc"

FUNC_BEGIN gate96_sha1_avx512_x16_outer
	OUTER_HASH zmm
FUNC_END gate96_sha1_avx512_x16_outer

	.section .note.GNU-stack, "", @progbits
