// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 block function with scalar rounds and an AVX message schedule, one stream.
//
//   void gate96_sha1_avx2(uint32_t state[5], const uint8_t *blocks, size_t num_blocks);
//
// Needs AVX: 128-bit vectors, three operands. vzeroupper on exit. Registers and method: one_stream.inc.

#include "asm/one_stream.inc"

FUNC_BEGIN gate96_sha1_avx2
	ONE_STREAM avx, rorx
FUNC_END gate96_sha1_avx2
