// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 in 8 lanes of 32 bits, 256-bit vectors with the rotates and three-operand logic of AVX-512.
//
//   void gate96_sha1_avx512vl_x8(LaneState *lanes, size_t num_blocks);
//
// Needs AVX512F, AVX512VL, AVX2 and MOVBE. General registers as in asm/lanes.inc, vectors (ymm) as in
// asm/avx512_rounds.inc.
//
// Per block 757 operations on registers. Where four go through a cycle the chain binds instead: a rotate and an
// addition a round, 160 cycles, or 240 where a rotate takes two.

#include "asm/func.inc"
#include "asm/lanes.inc"
#include "asm/avx512_rounds.inc"

// Rounds first .. first + 19 with function f and the k-th constant. The block after this one is staged meanwhile,
// four words a round, all in the first 32: its rows are loaded whole, and until the stores of a row have
// left the store buffer such a load stalls.
.macro ROUNDS20 first:req, f:req, k:req
	vpbroadcastd .Lconstants + 4 * \k(%rip), %ymm22
.set .Lt, \first
.rept 20
	WORD_AHEAD ymm, .Lt
	ROUND_AT ymm, .Lt, \f
.if .Lt < 32
	STAGE %(.Lt / 4), %((.Lt % 4) * 4), 4
.endif
.set .Lt, .Lt + 1
.endr
.endm

FUNC_BEGIN gate96_sha1_avx512vl_x8
	test %rsi, %rsi
	jz .Ldone
	LANES_ENTER 8
	LOAD_STATE ymm

	.balign 32
.Lblock:
	LANES_BLOCK
	BEGIN_BLOCK ymm
	ROUNDS20 0, 0xca, 0
	ROUNDS20 20, 0x96, 1
	ROUNDS20 40, 0xe8, 2
	ROUNDS20 60, 0x96, 3
	END_BLOCK ymm
	xchg %rdx, %rcx
	dec %rsi
	jnz .Lblock

	STORE_STATE ymm
	LANES_LEAVE 8
	vzeroupper
.Ldone:
	ret
FUNC_END gate96_sha1_avx512vl_x8

	.section .rodata.gate96_sha1_avx512vl_x8, "a", @progbits
	.balign 16
.Lconstants:
	.long 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6

	.section .note.GNU-stack, "", @progbits
