// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 with the SHA extensions, two interleaved streams.
//
//   void gate96_sha1_sha_ni_x2(LaneState *lanes, size_t num_blocks);
//
// Needs SHA, SSSE3 (pshufb) and SSE4.1 (pinsrd, pextrd). Legacy encoding throughout: the caller must not leave
// upper halves dirty, and no other ISA may be switched on for this file. Neither looks ahead nor transposes.
//
//   rdi  lanes              xmm0, 8    a b c d, a in the top word     xmm3..6    message words of stream 0
//   rsi  blocks left        xmm1, 2    e of stream 0, in turn         xmm11..14  message words of stream 1
//   r8   next of stream 0   xmm9, 10   e of stream 1, in turn         xmm7       byte order mask
//   r9   next of stream 1
//
// One stream is bound by its chain of twenty sha1rnds4; the second fills the gaps. For want of registers the values
// at the block's start are on the stack, which is wiped.

#include "asm/func.inc"
#include "asm/sha_ni_lanes.inc"

// Rounds 4g .. 4g+3 of both streams, operation by operation: a whole group of one stream before that of the other
// measured 11 % slower. The second half of the arguments is stream 1's.
.macro QUAD g:req, a:req, e:req, f:req, w0:req, w1:req, w2:req, w3:req, A:req, E:req, F:req, W0:req, W1:req, W2:req, W3:req
.if (\g) == 0
	paddd %xmm\w0, %xmm\e
	paddd %xmm\W0, %xmm\E
.else
	sha1nexte %xmm\w0, %xmm\e
	sha1nexte %xmm\W0, %xmm\E
.endif
	movdqa %xmm\a, %xmm\f
	movdqa %xmm\A, %xmm\F
	sha1rnds4 $(\g) / 5, %xmm\e, %xmm\a
	sha1rnds4 $(\g) / 5, %xmm\E, %xmm\A
.if (\g) < 16
	sha1msg1 %xmm\w1, %xmm\w0
	sha1msg1 %xmm\W1, %xmm\W0
	pxor %xmm\w2, %xmm\w0
	pxor %xmm\W2, %xmm\W0
	sha1msg2 %xmm\w3, %xmm\w0
	sha1msg2 %xmm\W3, %xmm\W0
.endif
.endm

.macro LOAD_BLOCK from:req, w0:req, w1:req, w2:req, w3:req
	movdqu 0(\from), %xmm\w0
	movdqu 16(\from), %xmm\w1
	movdqu 32(\from), %xmm\w2
	movdqu 48(\from), %xmm\w3
	pshufb %xmm7, %xmm\w0
	pshufb %xmm7, %xmm\w1
	pshufb %xmm7, %xmm\w2
	pshufb %xmm7, %xmm\w3
	add $64, \from
.endm

FUNC_BEGIN gate96_sha1_sha_ni_x2
	test %rsi, %rsi
	jz .Ldone
	sub $72, %rsp
	.cfi_adjust_cfa_offset 72
	mov LANES_NEXT + 0(%rdi), %r8
	mov LANES_NEXT + 8(%rdi), %r9
	LOAD_STATE 0, 0, 1
	LOAD_STATE 1, 8, 9
	movdqa .Lbyte_order(%rip), %xmm7

	.balign 32
.Lblock:
	movdqa %xmm0, 0(%rsp)
	movdqa %xmm1, 16(%rsp)
	movdqa %xmm8, 32(%rsp)
	movdqa %xmm9, 48(%rsp)
	LOAD_BLOCK %r8, 3, 4, 5, 6
	LOAD_BLOCK %r9, 11, 12, 13, 14
.irp g, 0, 4, 8, 12, 16
	QUAD \g+0, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14
	QUAD \g+1, 0, 2, 1, 4, 5, 6, 3, 8, 10, 9, 12, 13, 14, 11
	QUAD \g+2, 0, 1, 2, 5, 6, 3, 4, 8, 9, 10, 13, 14, 11, 12
	QUAD \g+3, 0, 2, 1, 6, 3, 4, 5, 8, 10, 9, 14, 11, 12, 13
.endr
	sha1nexte 16(%rsp), %xmm1
	sha1nexte 48(%rsp), %xmm9
	paddd 0(%rsp), %xmm0
	paddd 32(%rsp), %xmm8
	dec %rsi
	jnz .Lblock

	STORE_STATE 0, 0, 1
	STORE_STATE 1, 8, 9
	mov %r8, LANES_NEXT + 0(%rdi)
	mov %r9, LANES_NEXT + 8(%rdi)
	pxor %xmm7, %xmm7
	movdqa %xmm7, 0(%rsp)
	movdqa %xmm7, 16(%rsp)
	movdqa %xmm7, 32(%rsp)
	movdqa %xmm7, 48(%rsp)
	add $72, %rsp
	.cfi_adjust_cfa_offset -72
.Ldone:
	ret
FUNC_END gate96_sha1_sha_ni_x2

	.section .rodata.gate96_sha1_sha_ni_x2, "a", @progbits
	.balign 16
.Lbyte_order:
	.byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

	.section .note.GNU-stack, "", @progbits
