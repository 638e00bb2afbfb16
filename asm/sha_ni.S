// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 block function with the SHA extensions, one stream.
//
//   void gate96_sha1_sha_ni(uint32_t state[5], const uint8_t *blocks, size_t num_blocks);
//
// Needs SHA, SSSE3 (pshufb) and SSE4.1 (pinsrd, pextrd). Legacy encoding throughout: the caller must not
// leave upper halves dirty, and no other ISA may be switched on for this file.
//
//   rdi  state         xmm0      a b c d, a in the top word        xmm3..6  message, four words each
//   rsi  blocks        xmm1, 2   e plus message words, in turn     xmm8, 9  abcd and e at the block's start
//   rdx  blocks left   xmm7      byte order mask
//
// Each sha1rnds4 needs the one before it: the chain of twenty binds, and all else hides in its shadow.

#include "asm/func.inc"

// Rounds 4g .. 4g+3. w0..w3 hold W(4g) .. W(4g+15); W(4g+16) .. W(4g+19) take the place of w0.
.macro ROUNDS4 g:req, e:req, e_next:req, w0:req, w1:req, w2:req, w3:req
.if (\g) == 0
	paddd \w0, \e
.else
	sha1nexte \w0, \e
.endif
	movdqa %xmm0, \e_next
	sha1rnds4 $(\g) / 5, \e, %xmm0
.if (\g) < 16
	sha1msg1 \w1, \w0
	pxor \w2, \w0
	sha1msg2 \w3, \w0
.endif
.endm

.macro LOAD_WORDS from:req, to:req
	movdqu 16 * \from(%rsi), \to
	pshufb %xmm7, \to
.endm

FUNC_BEGIN gate96_sha1_sha_ni
	test %rdx, %rdx
	jz .Ldone

	movdqu (%rdi), %xmm0
	pshufd $0x1b, %xmm0, %xmm0
	pxor %xmm1, %xmm1
	pinsrd $3, 16(%rdi), %xmm1
	movdqa .Lbyte_order(%rip), %xmm7

	.balign 32
.Lblock:
	movdqa %xmm0, %xmm8
	movdqa %xmm1, %xmm9
	LOAD_WORDS 0, %xmm3
	LOAD_WORDS 1, %xmm4
	LOAD_WORDS 2, %xmm5
	LOAD_WORDS 3, %xmm6
.irp g, 0, 4, 8, 12, 16
	ROUNDS4 \g + 0, %xmm1, %xmm2, %xmm3, %xmm4, %xmm5, %xmm6
	ROUNDS4 \g + 1, %xmm2, %xmm1, %xmm4, %xmm5, %xmm6, %xmm3
	ROUNDS4 \g + 2, %xmm1, %xmm2, %xmm5, %xmm6, %xmm3, %xmm4
	ROUNDS4 \g + 3, %xmm2, %xmm1, %xmm6, %xmm3, %xmm4, %xmm5
.endr
	sha1nexte %xmm9, %xmm1
	paddd %xmm8, %xmm0
	add $64, %rsi
	dec %rdx
	jnz .Lblock

	pshufd $0x1b, %xmm0, %xmm0
	movdqu %xmm0, (%rdi)
	pextrd $3, %xmm1, 16(%rdi)
.Ldone:
	ret
FUNC_END gate96_sha1_sha_ni

	.section .rodata.gate96_sha1_sha_ni, "a", @progbits
	.balign 16
.Lbyte_order:
	.byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

	.section .note.GNU-stack, "", @progbits
