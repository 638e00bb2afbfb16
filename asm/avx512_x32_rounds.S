// SPDX-License-Identifier: BSD-3-Clause
// What the functions with 32 lanes share, called by them alone: absorbs blocks that are transposed into two vectors of
// 16 lanes, v = 0 and 1, their rounds in turns, and meanwhile transposes the next ones.
//
//   rdi  uint32_t h[5][32]: added to, and to the copy of it in zmm0..9
//   rdx  uint32_t schedule[85][32]: the blocks in rows 0..15; moves on: at round t it points to row t
//   r10  end of a loop; the other general registers and zmm15 as in asm/avx512_x32_stage.inc
//
//   zmm0..4   a b c d e of v = 0, in turn      10, 11  temporaries      16..20  W(t) of v = 0 in t mod 5
//   zmm5..9   the same of v = 1                14      K of the rounds  21..25  the same of v = 1
//
// For CPUs on which 16 lanes wait for their chain: a rotate and an addition a round, 320 cycles a block where each takes
// two. The second vector fills the gaps: 1674 operations, 418.5 cycles where 512 bits go through four a cycle.
//
// Loops of five rounds, after which all registers have their first roles again. Unrolled, the code was three times as
// long, and ran at half the speed wherever it did not stay in the micro-operation cache: in the engine. For the same
// reason there is one copy of it.

#include "asm/func.inc"
#include "asm/avx512_x32_stage.inc"

// Round t (FIPS 180-4 6.1.2). f: truth table of the round's function for vpternlogd, which overwrites an operand.
.macro ROUND f:req, w:req, a:req, b:req, c:req, d:req, e:req
	vmovdqa64 %zmm\b, %zmm10
	vprold $30, %zmm\b, %zmm\b
	vpternlogd $\f, %zmm\d, %zmm\c, %zmm10
	vpaddd %zmm14, %zmm\e, %zmm\e
	vpaddd %zmm\w, %zmm\e, %zmm\e
	vprold $5, %zmm\a, %zmm11
	vpaddd %zmm10, %zmm\e, %zmm\e
	vpaddd %zmm11, %zmm\e, %zmm\e
.endm

// Round t + r of vector v, t divisible by 5.
.macro ROUND_OF r:req, v:req, f:req
	ROUND \f, %(16 + 5 * (\v) + (\r)), %(5 * (\v) + (5 - (\r)) % 5), %(5 * (\v) + (6 - (\r)) % 5), %(5 * (\v) + (7 - (\r)) % 5), %(5 * (\v) + (8 - (\r)) % 5), %(5 * (\v) + (9 - (\r)) % 5)
.endm

.macro LOAD_WORD row:req, v:req, w:req
	vmovdqa64 LANES_ROW * (\row) + kVector * (\v)(%rdx), %zmm\w
.endm

// W of row \row, seen from rdx, to register w and its row. w3: the register of the word of three rows before.
.macro SCHEDULE row:req, v:req, w:req, w3:req
	LOAD_WORD %((\row) - 16), \v, \w
	vpternlogd $0x96, LANES_ROW * ((\row) - 14) + kVector * (\v)(%rdx), %zmm\w3, %zmm\w
	vpxord LANES_ROW * ((\row) - 8) + kVector * (\v)(%rdx), %zmm\w, %zmm\w
	vprold $1, %zmm\w, %zmm\w
	vmovdqa64 %zmm\w, LANES_ROW * (\row) + kVector * (\v)(%rdx)
.endm

// After round t + r, while the words of the block last: W(t + r + 5) in place of W(t + r).
.macro NEXT_LOADED r:req, v:req
	LOAD_WORD %((\r) + 5), \v, %(16 + 5 * (\v) + (\r))
.endm

// The same later on.
.macro NEXT_SCHEDULED r:req, v:req
	SCHEDULE %((\r) + 5), \v, %(16 + 5 * (\v) + (\r)), %(16 + 5 * (\v) + ((\r) + 2) % 5)
.endm

// Rounds up to, not including, t = end, with function f. \next makes words. \stage transposes the next blocks.
.macro ROUNDS_UNTIL end:req, f:req, next:req, stage:req
	lea LANES_ROW * (\end) - LANES_ROW * .Lt(%rdx), %r10
	.balign 16
.Lrounds_until_\end:
.irp r, 0, 1, 2, 3, 4
	ROUND_OF \r, 0, \f
	\next \r, 0
	ROUND_OF \r, 1, \f
	\next \r, 1
.if \r < 4
	\stage \r
.endif
.endr
	add $(5 * LANES_ROW), %rdx
	cmp %r10, %rdx
	jne .Lrounds_until_\end
.set .Lt, \end
.endm

.macro LOAD_K k:req
	vpbroadcastd .Lconstants + 4 * \k(%rip), %zmm14
.endm

.macro ADD_STATE i:req, v:req, r:req
	vpaddd LANES_ROW * \i + kVector * \v(%rdi), %zmm\r, %zmm\r
	vmovdqa64 %zmm\r, LANES_ROW * \i + kVector * \v(%rdi)
.endm

FUNC_BEGIN gate96_sha1_avx512_x32_rounds
.irp i, 0, 1, 2
	LOAD_WORD %(13 + \i), 0, %(26 + \i)
	LOAD_WORD %(13 + \i), 1, %(29 + \i)
.endr
.irp i, 0, 1, 2
	SCHEDULE %(16 + \i), 0, %(16 + \i), %(26 + \i)
	SCHEDULE %(16 + \i), 1, %(21 + \i), %(29 + \i)
.endr
	SCHEDULE 19, 0, 19, 16
	SCHEDULE 19, 1, 24, 21
.irp i, 0, 1, 2, 3, 4
	LOAD_WORD \i, 0, %(16 + \i)
	LOAD_WORD \i, 1, %(21 + \i)
.endr
.set .Lt, 0
	LOAD_K 0
	ROUNDS_UNTIL 15, 0xca, NEXT_LOADED, QUARTERS
	ROUNDS_UNTIL 20, 0xca, NEXT_SCHEDULED, QUARTERS
	NEXT_QUARTERS
	LOAD_K 1
	ROUNDS_UNTIL 40, 0x96, NEXT_SCHEDULED, QUARTERS
	FIRST_WORDS
	LOAD_K 2
	ROUNDS_UNTIL 60, 0xe8, NEXT_SCHEDULED, WORDS
	NEXT_WORDS
	LOAD_K 3
	ROUNDS_UNTIL 80, 0x96, NEXT_SCHEDULED, WORDS
.irp i, 0, 1, 2, 3, 4
	ADD_STATE \i, 0, \i
	ADD_STATE \i, 1, %(5 + \i)
.endr
	ret
FUNC_END gate96_sha1_avx512_x32_rounds

	.section .rodata.gate96_sha1_avx512_x32_rounds, "a", @progbits
	.balign 16
.Lconstants:
	.long 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6

	.section .note.GNU-stack, "", @progbits
