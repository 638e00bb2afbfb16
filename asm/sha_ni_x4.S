// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 with the SHA extensions, four interleaved streams.
//
//   void gate96_sha1_sha_ni_x4(LaneState *lanes, size_t num_blocks);
//
// Needs SHA, SSSE3 (pshufb) and SSE4.1 (pinsrd, pextrd). Legacy encoding throughout: the caller must not leave
// upper halves dirty, and no other ISA may be switched on for this file. Neither looks ahead nor transposes.
//
//   rdi  lanes                      xmm0..3   a b c d of each stream, a in the top word
//   rsi  blocks left                xmm4..14  e of each stream, its last four message words, and three temporaries:
//   r8..r11  next of each stream              which is which changes with every group of rounds
//   rsp  aligned frame, wiped       xmm15     byte order mask
//
// For CPUs whose SHA unit has room for more than two chains. Two streams have their message words in registers; here
// all but the last four words of each stream are on the stack.

#include "asm/func.inc"
#include "asm/sha_ni_lanes.inc"

.altmacro

.set kSlots, 5                  // groups of four message words that a stream keeps in the frame
.set kStart, 16 * kSlots        // behind them a b c d, and e, at the block's start
.set kStream, kStart + 32       // bytes of a stream in the frame
.set kFrame, 4 * kStream

.macro SLOT_OP op:req, s:req, g:req, reg:req
	\op kStream * \s + 16 * ((\g) % kSlots)(%rsp), %xmm\reg
.endm

// The next group of message words: the four at the block's head are loaded, the others computed into \t.
.macro LOAD_GROUP g:req, s:req, from:req, last:req
	movdqu 16 * (\g)(%\from), %xmm\last
	pshufb %xmm15, %xmm\last
.endm

.macro NEXT_GROUP g:req, s:req, last:req, t:req
	SLOT_OP movdqa, \s, %(\g - 4), \t
	SLOT_OP sha1msg1, \s, %(\g - 3), \t
	SLOT_OP pxor, \s, %(\g - 2), \t
	sha1msg2 %xmm\last, %xmm\t
.endm

.macro KEEP_GROUP g:req, s:req, last:req
	movdqa %xmm\last, kStream * \s + 16 * ((\g) % kSlots)(%rsp)
.endm

// Rounds 4g .. 4g+3. \t becomes the next e.
.macro FOUR_ROUNDS g:req, abcd:req, e:req, last:req, t:req
.if (\g) == 0
	paddd %xmm\last, %xmm\e
.else
	sha1nexte %xmm\last, %xmm\e
.endif
	movdqa %xmm\abcd, %xmm\t
	sha1rnds4 $(\g) / 5, %xmm\e, %xmm\abcd
.endm

// Exchanges two numbers of registers; \b, now free, goes behind the other temporaries.
.macro TAKE_TEMPORARY of:req
.set .Lfreed, \of
.set \of, .Lt0
.set .Lt0, .Lt1
.set .Lt1, .Lt2
.set .Lt2, .Lfreed
.endm

.macro QUAD g:req, s:req, from:req
.if (\g) < 4
	LOAD_GROUP \g, \s, \from, %.Llast\s
.else
	NEXT_GROUP \g, \s, %.Llast\s, %.Lt0
	TAKE_TEMPORARY .Llast\s
.endif
.if (\g) < 18
	KEEP_GROUP \g, \s, %.Llast\s
.endif
	FOUR_ROUNDS \g, \s, %.Le\s, %.Llast\s, %.Lt0
	TAKE_TEMPORARY .Le\s
.endm

.macro LOAD_E s:req, e:req
	movdqa kStream * \s + kStart + 16(%rsp), %xmm\e
.endm

.macro END_BLOCK s:req, from:req, e:req
	sha1nexte kStream * \s + kStart + 16(%rsp), %xmm\e
	movdqa %xmm\e, kStream * \s + kStart + 16(%rsp)
	paddd kStream * \s + kStart(%rsp), %xmm\s
	add $64, %\from
.endm

.macro ENTER_STREAM s:req, from:req
	mov LANES_NEXT + 8 * \s(%rdi), %\from
	LOAD_STATE \s, \s, 4
	movdqa %xmm4, kStream * \s + kStart + 16(%rsp)
.endm

.macro LEAVE_STREAM s:req, from:req
	movdqa kStream * \s + kStart + 16(%rsp), %xmm4
	STORE_STATE \s, \s, 4
	mov %\from, LANES_NEXT + 8 * \s(%rdi)
.endm

FUNC_BEGIN gate96_sha1_sha_ni_x4
	test %rsi, %rsi
	jz .Ldone
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	mov %rsp, %rbp
	.cfi_def_cfa_register rbp
	sub $kFrame, %rsp
	and $-64, %rsp
	ENTER_STREAM 0, r8
	ENTER_STREAM 1, r9
	ENTER_STREAM 2, r10
	ENTER_STREAM 3, r11
	movdqa .Lbyte_order(%rip), %xmm15

	.balign 32
.Lblock:
.irp s, 0, 1, 2, 3
	movdqa %xmm\s, kStream * \s + kStart(%rsp)
	LOAD_E \s, %(4 + \s)
.set .Le\s, 4 + \s
.set .Llast\s, 8 + \s
.endr
.set .Lt0, 12
.set .Lt1, 13
.set .Lt2, 14
.set .Lg, 0
.rept 20
	QUAD %.Lg, 0, r8
	QUAD %.Lg, 1, r9
	QUAD %.Lg, 2, r10
	QUAD %.Lg, 3, r11
.set .Lg, .Lg + 1
.endr
	END_BLOCK 0, r8, %.Le0
	END_BLOCK 1, r9, %.Le1
	END_BLOCK 2, r10, %.Le2
	END_BLOCK 3, r11, %.Le3
	dec %rsi
	jnz .Lblock

	LEAVE_STREAM 0, r8
	LEAVE_STREAM 1, r9
	LEAVE_STREAM 2, r10
	LEAVE_STREAM 3, r11
	pxor %xmm4, %xmm4
.set .Lat, 0
.rept kFrame / 16
	movdqa %xmm4, .Lat(%rsp)
.set .Lat, .Lat + 16
.endr
	mov %rbp, %rsp
	.cfi_def_cfa_register rsp
	pop %rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbp
.Ldone:
	ret
FUNC_END gate96_sha1_sha_ni_x4

	.section .rodata.gate96_sha1_sha_ni_x4, "a", @progbits
	.balign 16
.Lbyte_order:
	.byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

	.section .note.GNU-stack, "", @progbits
