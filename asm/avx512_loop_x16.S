// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 in 16 lanes of 32 bits, AVX-512: one vector, in little code.
//
//   void gate96_sha1_avx512_loop_x16(LaneState *lanes, size_t num_blocks);
//
// Needs AVX512F and AVX512BW. Registers as in asm/avx512_loop_lanes.inc.

.set kVectors, 1

#include "asm/func.inc"
#include "asm/avx512_loop_lanes.inc"

FUNC_BEGIN gate96_sha1_avx512_loop_x16
	LOOP_LANES gate96_sha1_avx512_loop_x16_rounds
FUNC_END gate96_sha1_avx512_loop_x16

	.section .rodata.gate96_sha1_avx512_loop_x16, "a", @progbits
	SWAP_CONSTANT

	.section .note.GNU-stack, "", @progbits
