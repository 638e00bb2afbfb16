// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 block function in general registers, one stream.
//
//   void gate96_sha1_x86_64(uint32_t state[5], const uint8_t *blocks, size_t num_blocks);
//
// Needs nothing beyond x86-64.
//
//   rdi  state            eax r11d ebx ebp ecx r8d r9d r10d   a u f v b c d e, taking turns (rounds.inc)
//   rsi  block            r12d r13d r14d                      W(t+1) to W(t+3), made in place
//   rdx  blocks left      rsp                                 W, sixteen words in a circle (FIPS 180-4 6.1.3)
//
// A block costs 972 operations that need an arithmetic port, an address of three parts counted as two: 243 cycles at
// the least where there are four such ports (Zen 4).

#include "asm/func.inc"

// W(t) takes the place of W(t-3) in w, in four steps to be put between the operations of a round.
.macro MESSAGE_1 t:req, w:req
.if (\t) < 16
	mov 4*(\t)(%rsi), \w
.elseif (\t) < 80
	xor 4*((\t)&15)(%rsp), \w
.endif
.endm

.macro MESSAGE_2 t:req, w:req
.if (\t) >= 16 && (\t) < 80
	xor 4*(((\t)+2)&15)(%rsp), \w
.endif
.endm

.macro MESSAGE_3 t:req, w:req
.if (\t) >= 16 && (\t) < 80
	xor 4*(((\t)+8)&15)(%rsp), \w
.endif
.endm

// The last three words are read by no later one.
.macro MESSAGE_4 t:req, w:req
.if (\t) < 16
	bswap \w
.elseif (\t) < 80
	rol $1, \w
.endif
.if (\t) < 77
	mov \w, 4*((\t)&15)(%rsp)
.endif
.endm

.macro FIRST_WORD t:req, w:req
	MESSAGE_1 \t, \w
	MESSAGE_4 \t, \w
.endm

// The end of round t and the beginning of round t + 1, as in rounds.inc, with W(t+1) from w and W(t+4) made
// there. The order is the fastest found for this mix of operations.
.macro ROUND_BEFORE_CH t:req, w:req, a:req, u:req, f:req, v:req, b:req, c:req, d:req, e:req
	add \f, \e
	mov \a, \f
	rol $5, \f
	add \f, \e
	mov \a, \v
	lea 0x5a827999(\d,\w), \d
	mov \b, \u
	xor \c, \u
	and \a, \u
	ror $2, \v
	MESSAGE_1 (\t)+4, \w
	xor \c, \u
	MESSAGE_2 (\t)+4, \w
	MESSAGE_3 (\t)+4, \w
	MESSAGE_4 (\t)+4, \w
.endm

.macro ROUND_BEFORE_PARITY k:req, t:req, w:req, a:req, u:req, f:req, v:req, b:req, c:req, d:req, e:req
	add \f, \e
	mov \a, \f
	rol $5, \f
	mov \b, \u
	add \f, \e
	xor \c, \u
	lea \k(\d,\w), \d
	mov \a, \v
	ror $2, \v
	MESSAGE_1 (\t)+4, \w
	MESSAGE_2 (\t)+4, \w
	xor \a, \u
	MESSAGE_3 (\t)+4, \w
	MESSAGE_4 (\t)+4, \w
.endm

.macro ROUND_BEFORE_MAJ t:req, w:req, a:req, u:req, f:req, v:req, b:req, c:req, d:req, e:req
	add \f, \e
	mov \a, \f
	rol $5, \f
	mov \a, \v
	lea 0x8f1bbcdc-(1<<32)(\d,\w), \d
	add \f, \e
	ror $2, \v
	mov \b, \f
	and \c, \f
	add \f, \d
	MESSAGE_1 (\t)+4, \w
	mov \b, \u
	MESSAGE_2 (\t)+4, \w
	MESSAGE_3 (\t)+4, \w
	xor \c, \u
	and \a, \u
	MESSAGE_4 (\t)+4, \w
.endm

.macro ROUND_WITH t:req, w:req, a:req, u:req, f:req, v:req, b:req, c:req, d:req, e:req
.if (\t) == 79
	add \f, \e
	mov \a, \f
	rol $5, \f
	add \f, \e
.elseif ((\t)+1) / 20 == 0
	ROUND_BEFORE_CH \t, \w, \a, \u, \f, \v, \b, \c, \d, \e
.elseif ((\t)+1) / 20 == 1
	ROUND_BEFORE_PARITY 0x6ed9eba1, \t, \w, \a, \u, \f, \v, \b, \c, \d, \e
.elseif ((\t)+1) / 20 == 2
	ROUND_BEFORE_MAJ \t, \w, \a, \u, \f, \v, \b, \c, \d, \e
.else
	ROUND_BEFORE_PARITY 0xca62c1d6-(1<<32), \t, \w, \a, \u, \f, \v, \b, \c, \d, \e
.endif
.endm

.macro ROUND t:req, regs:vararg
.if (\t) % 3 == 0
	ROUND_WITH \t, %r12d, \regs
.elseif (\t) % 3 == 1
	ROUND_WITH \t, %r13d, \regs
.else
	ROUND_WITH \t, %r14d, \regs
.endif
.endm

.macro FOUR_ROUNDS t:req, a:req, u:req, f:req, v:req, b:req, c:req, d:req, e:req
	ROUND (\t)+0, \a, \u, \f, \v, \b, \c, \d, \e
	ROUND (\t)+1, \e, \a, \u, \f, \v, \b, \c, \d
	ROUND (\t)+2, \d, \e, \a, \u, \f, \v, \b, \c
	ROUND (\t)+3, \c, \d, \e, \a, \u, \f, \v, \b
.endm

FUNC_BEGIN gate96_sha1_x86_64
	test %rdx, %rdx
	jz .Ldone
.irp reg, %rbx, %rbp, %r12, %r13, %r14
	push \reg
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset \reg, 0
.endr
	sub $64, %rsp
	.cfi_adjust_cfa_offset 64
	mov (%rdi), %eax
	mov 4(%rdi), %ecx
	mov 8(%rdi), %r8d
	mov 12(%rdi), %r9d
	mov 16(%rdi), %r10d

	.balign 64
.Lblock:
	// The beginning of round 0; its f goes into ebx. W(0) to W(3) on the way.
	FIRST_WORD 0, %r14d
	FIRST_WORD 1, %r12d
	FIRST_WORD 2, %r13d
	lea 0x5a827999(%r10d,%r14d), %r10d
	FIRST_WORD 3, %r14d
	mov %r8d, %ebx
	xor %r9d, %ebx
	and %ecx, %ebx
	xor %r9d, %ebx
	ror $2, %ecx
.irp t, 0, 8, 16, 24, 32, 40, 48, 56, 64, 72
	FOUR_ROUNDS \t, %eax, %r11d, %ebx, %ebp, %ecx, %r8d, %r9d, %r10d
	FOUR_ROUNDS \t+4, %ecx, %r8d, %r9d, %r10d, %eax, %r11d, %ebx, %ebp
.endr
	// b as it was before its rotation is in r11d, the others where round 0 wants them.
	add (%rdi), %eax
	add 4(%rdi), %r11d
	add 8(%rdi), %r8d
	add 12(%rdi), %r9d
	add 16(%rdi), %r10d
	mov %r11d, %ecx
	mov %eax, (%rdi)
	mov %ecx, 4(%rdi)
	mov %r8d, 8(%rdi)
	mov %r9d, 12(%rdi)
	mov %r10d, 16(%rdi)
	add $64, %rsi
	dec %rdx
	jnz .Lblock

	// The stack held message words, of a key perhaps.
	xor %eax, %eax
.irp at, 0, 8, 16, 24, 32, 40, 48, 56
	mov %rax, \at(%rsp)
.endr
	add $64, %rsp
	.cfi_adjust_cfa_offset -64
.irp reg, %r14, %r13, %r12, %rbp, %rbx
	pop \reg
	.cfi_adjust_cfa_offset -8
	.cfi_restore \reg
.endr
.Ldone:
	ret
FUNC_END gate96_sha1_x86_64

	.section .note.GNU-stack, "", @progbits
