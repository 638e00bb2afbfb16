// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 in 16 lanes of 32 bits, AVX-512.
//
//   void gate96_sha1_avx512_x16(LaneState *lanes, size_t num_blocks);
//
// Needs AVX512F, AVX2 and MOVBE. General registers as in asm/lanes.inc, vectors (zmm) as in asm/avx512_rounds.inc.
//
// Per block 757 operations on registers; where 512 bits go through two a cycle that is 378.5 cycles. The 528 moves of
// the transposition have to fit beside them.

#include "asm/func.inc"
#include "asm/lanes.inc"
#include "asm/avx512_rounds.inc"

// Rounds first .. first + 19 with function f and the k-th constant. The block after this one is staged meanwhile,
// four words a round, all before the last 16 rounds: its rows are loaded whole, and until the stores of a row have
// left the store buffer such a load stalls.
.macro ROUNDS20 first:req, f:req, k:req
	vpbroadcastd .Lconstants + 4 * \k(%rip), %zmm22
.set .Lt, \first
.rept 20
	WORD_AHEAD zmm, .Lt
	ROUND_AT zmm, .Lt, \f
.if .Lt < 64
	STAGE %(.Lt / 4), %((.Lt % 4) * 4), 4
.endif
.set .Lt, .Lt + 1
.endr
.endm

FUNC_BEGIN gate96_sha1_avx512_x16
	test %rsi, %rsi
	jz .Ldone
	LANES_ENTER 16
	LOAD_STATE zmm

	.balign 32
.Lblock:
	LANES_BLOCK
	BEGIN_BLOCK zmm
	ROUNDS20 0, 0xca, 0
	ROUNDS20 20, 0x96, 1
	ROUNDS20 40, 0xe8, 2
	ROUNDS20 60, 0x96, 3
	END_BLOCK zmm
	xchg %rdx, %rcx
	dec %rsi
	jnz .Lblock

	STORE_STATE zmm
	LANES_LEAVE 16
	vzeroupper
.Ldone:
	ret
FUNC_END gate96_sha1_avx512_x16

	.section .rodata.gate96_sha1_avx512_x16, "a", @progbits
	.balign 16
.Lconstants:
	.long 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6

	.section .note.GNU-stack, "", @progbits
