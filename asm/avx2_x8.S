// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 in 8 lanes of 32 bits, AVX2.
//
//   void gate96_sha1_avx2_x8(LaneState *lanes, size_t num_blocks);
//
// Needs AVX2 and MOVBE. General registers as in asm/lanes.inc.
//
//   ymm0..5   a b x c d e, in turn: x, the spare, takes the rotated b, and the old b makes room for f
//   ymm6..9   the last four W(t), t mod 4; all sixteen are in words[half] too, in place of the block
//   ymm10     K of the rounds         ymm11..14  temporaries
//
// No rotate and no three-operand logic: 1384 operations on registers per block, 346 cycles where four go through
// a cycle.

#include "asm/func.inc"
#include "asm/lanes.inc"

.altmacro

.macro F_CHOOSE b:req, c:req, d:req          // d ^ (b & (c ^ d))
	vpxor %ymm\c, %ymm\d, %ymm11
	vpand %ymm11, %ymm\b, %ymm\b
	vpxor %ymm\d, %ymm\b, %ymm\b
.endm

.macro F_PARITY b:req, c:req, d:req
	vpxor %ymm\c, %ymm\d, %ymm11
	vpxor %ymm11, %ymm\b, %ymm\b
.endm

.macro F_MAJORITY b:req, c:req, d:req        // (c & d) | (b & (c | d))
	vpor %ymm\c, %ymm\d, %ymm11
	vpand %ymm\c, %ymm\d, %ymm12
	vpand %ymm11, %ymm\b, %ymm\b
	vpor %ymm12, %ymm\b, %ymm\b
.endm

// Round t (FIPS 180-4 6.1.2); W(t) + K is in ymm13. The two halves of the rotated a are added one by one.
.macro ROUND f:req, a:req, b:req, x:req, c:req, d:req, e:req
	vpaddd %ymm13, %ymm\e, %ymm\e
	vpslld $30, %ymm\b, %ymm\x
	vpsrld $2, %ymm\b, %ymm14
	vpor %ymm14, %ymm\x, %ymm\x
	F_\f \b, \c, \d
	vpslld $5, %ymm\a, %ymm14
	vpaddd %ymm\b, %ymm\e, %ymm\e
	vpsrld $27, %ymm\a, %ymm12
	vpaddd %ymm14, %ymm\e, %ymm\e
	vpaddd %ymm12, %ymm\e, %ymm\e
.endm

.macro ROUND_AT f:req, t:req
	ROUND \f, %((84 - (\t)) % 6), %((85 - (\t)) % 6), %((86 - (\t)) % 6), %((87 - (\t)) % 6), %((88 - (\t)) % 6), %((89 - (\t)) % 6)
.endm

// W(t) for t in 16..79 to register w; w3 holds W(t - 3) if t is 19 or more.
.macro SCHEDULE t:req, w:req, w3:req
	vmovdqa LANES_ROW * ((\t) % 16)(%rdx), %ymm\w
	vpxor LANES_ROW * (((\t) + 2) % 16)(%rdx), %ymm\w, %ymm\w
	vpxor LANES_ROW * (((\t) + 8) % 16)(%rdx), %ymm\w, %ymm\w
.if (\t) < 19
	vpxor LANES_ROW * (((\t) + 13) % 16)(%rdx), %ymm\w, %ymm\w
.else
	vpxor %ymm\w3, %ymm\w, %ymm\w
.endif
	vpsrld $31, %ymm\w, %ymm14
	vpaddd %ymm\w, %ymm\w, %ymm\w
	vpor %ymm14, %ymm\w, %ymm\w
.if (\t) < 72
	vmovdqa %ymm\w, LANES_ROW * ((\t) % 16)(%rdx)
.endif
	vpaddd %ymm10, %ymm\w, %ymm13
.endm

.macro SCHEDULE_AT t:req
	SCHEDULE \t, %(6 + (\t) % 4), %(6 + ((\t) + 1) % 4)
.endm

// Rounds first .. first + 19. The block after this one is staged meanwhile, two words a round, all before the last
// 16 rounds: its rows are loaded whole, and until the stores of a row have left the store buffer such a load stalls.
.macro ROUNDS20 first:req, f:req, k:req
	vpbroadcastd .Lconstants + 4 * \k(%rip), %ymm10
.set .Lt, \first
.rept 20
.if .Lt < 16
	vpaddd LANES_ROW * .Lt(%rdx), %ymm10, %ymm13
.else
	SCHEDULE_AT .Lt
.endif
	ROUND_AT \f, .Lt
.if .Lt < 64
	STAGE %(.Lt / 8), %((.Lt % 8) * 2), 2
.endif
.set .Lt, .Lt + 1
.endr
.endm

.macro LOAD_STATE
	vmovdqa LANES_ROW * 0(%rdi), %ymm0
	vmovdqa LANES_ROW * 1(%rdi), %ymm1
	vmovdqa LANES_ROW * 2(%rdi), %ymm3
	vmovdqa LANES_ROW * 3(%rdi), %ymm4
	vmovdqa LANES_ROW * 4(%rdi), %ymm5
.endm

// a b c d e are where round 79 left them.
.macro ADD_STATE
	vpaddd LANES_ROW * 0(%rdi), %ymm4, %ymm4
	vpaddd LANES_ROW * 1(%rdi), %ymm5, %ymm5
	vpaddd LANES_ROW * 2(%rdi), %ymm1, %ymm1
	vpaddd LANES_ROW * 3(%rdi), %ymm2, %ymm2
	vpaddd LANES_ROW * 4(%rdi), %ymm3, %ymm3
	vmovdqa %ymm4, LANES_ROW * 0(%rdi)
	vmovdqa %ymm5, LANES_ROW * 1(%rdi)
	vmovdqa %ymm1, LANES_ROW * 2(%rdi)
	vmovdqa %ymm2, LANES_ROW * 3(%rdi)
	vmovdqa %ymm3, LANES_ROW * 4(%rdi)
.endm

FUNC_BEGIN gate96_sha1_avx2_x8
	test %rsi, %rsi
	jz .Ldone
	LANES_ENTER 8

	.balign 32
.Lblock:
	LANES_BLOCK
	LOAD_STATE
	ROUNDS20 0, CHOOSE, 0
	ROUNDS20 20, PARITY, 1
	ROUNDS20 40, MAJORITY, 2
	ROUNDS20 60, PARITY, 3
	ADD_STATE
	xchg %rdx, %rcx
	dec %rsi
	jnz .Lblock

	LANES_LEAVE 8
	vzeroupper
.Ldone:
	ret
FUNC_END gate96_sha1_avx2_x8

	.section .rodata.gate96_sha1_avx2_x8, "a", @progbits
	.balign 16
.Lconstants:
	.long 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6

	.section .note.GNU-stack, "", @progbits
