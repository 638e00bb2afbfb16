// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 in 32 lanes of 32 bits, AVX-512: two vectors in turns, in little code.
//
//   void gate96_sha1_avx512_loop_x32(LaneState *lanes, size_t num_blocks);
//
// Needs AVX512F and AVX512BW. Registers as in asm/avx512_loop_lanes.inc.

.set kVectors, 2

#include "asm/func.inc"
#include "asm/avx512_loop_lanes.inc"

FUNC_BEGIN gate96_sha1_avx512_loop_x32
	LOOP_LANES gate96_sha1_avx512_loop_x32_rounds
FUNC_END gate96_sha1_avx512_loop_x32

	.section .rodata.gate96_sha1_avx512_loop_x32, "a", @progbits
	SWAP_CONSTANT

	.section .note.GNU-stack, "", @progbits
