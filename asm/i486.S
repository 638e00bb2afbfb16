// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 block function for 32-bit x86, one stream.
//
//   void gate96_sha1_i486(uint32_t state[5], const uint8_t *blocks, size_t num_blocks);   cdecl
//
// Needs BSWAP (i486). No workspace but the stack. (The endbr32 at its head is a no-operation from the Pentium
// Pro on.)
//
//   eax ebx ecx edx edi   a b c d e, turning by one each round
//   esi                   the next round's word
//   ebp                   f of the round, then rotl(a, 5)
//   0(esp) to 63(esp)     W, sixteen words used in a circle (FIPS 180-4 6.1.3)
//
// A block costs 980 operations that need an arithmetic port, an address of three parts counted as two: 245 cycles at
// the least where there are four such ports (Zen 4).

#include "asm/func.inc"

	.set .Lsaved_len, 16			// four registers
	.set .Larg_state, 64 + .Lsaved_len + 4
	.set .Larg_blocks, .Larg_state + 4
	.set .Larg_num_blocks, .Larg_state + 8

// W(t) to esi. The first sixteen words are there already.
.macro WORD t:req
	mov 4*((\t)&15)(%esp), %esi
.if (\t) >= 16
	xor 4*(((\t)+2)&15)(%esp), %esi
	xor 4*(((\t)+8)&15)(%esp), %esi
	xor 4*(((\t)+13)&15)(%esp), %esi
	rol $1, %esi
.endif
.endm

// The last three words are read by no later one.
.macro KEEP_WORD t:req
.if (\t) >= 16 && (\t) < 77
	mov %esi, 4*((\t)&15)(%esp)
.endif
.endm

// Begins round t: e += W(t) + K, and ebp = f(b, c, d) but for the last step of Ch; of Maj the half c & d goes into e
// at once, for it and b & (c ^ d) have no bit in common. c is rotated here, on behalf of the round before.
.macro BEGIN_ROUND t:req, b:req, c:req, d:req, e:req
	KEEP_WORD \t
.if (\t) / 20 == 0
	lea 0x5a827999(\e,%esi), \e
.elseif (\t) / 20 == 1
	lea 0x6ed9eba1(\e,%esi), \e
.elseif (\t) / 20 == 2
	lea 0x8f1bbcdc(\e,%esi), \e
	mov \d, %esi
.else
	lea 0xca62c1d6(\e,%esi), \e
.endif
	mov \d, %ebp
.if (\t) > 0
	ror $2, \c
.endif
.if (\t) / 20 == 2
	and \c, %esi
.endif
	xor \c, %ebp
.if (\t) / 20 % 2 == 0
	and \b, %ebp
.else
	xor \b, %ebp
.endif
.if (\t) / 20 == 2
	add %esi, \e
.endif
.endm

// Ends round t and begins the next, whose word is made before all else: so the rounds never wait for it.
.macro ROUND t:req, a:req, b:req, c:req, d:req, e:req
.if (\t) < 79
	WORD (\t)+1
.endif
.if (\t) < 20
	xor \d, %ebp
.endif
	add %ebp, \e
	mov \a, %ebp
	rol $5, %ebp
	add %ebp, \e
.if (\t) < 79
	BEGIN_ROUND (\t)+1, \a, \b, \c, \d
.else
	ror $2, \b
.endif
.endm

FUNC_BEGIN gate96_sha1_i486
.irp reg, %ebx, %esi, %edi, %ebp
	push \reg
	.cfi_adjust_cfa_offset 4
	.cfi_rel_offset \reg, 0
.endr
	sub $64, %esp
	.cfi_adjust_cfa_offset 64
	cmpl $0, .Larg_num_blocks(%esp)
	je .Ldone

	.balign 16
.Lblock:
	mov .Larg_blocks(%esp), %ebp
.irp t, 0, 2, 4, 6, 8, 10, 12, 14
	mov 4*\t(%ebp), %eax
	mov 4*\t+4(%ebp), %ebx
	bswap %eax
	bswap %ebx
	mov %eax, 4*\t(%esp)
	mov %ebx, 4*\t+4(%esp)
.endr
	mov .Larg_state(%esp), %ebp
	mov (%ebp), %eax
	mov 4(%ebp), %ebx
	mov 8(%ebp), %ecx
	mov 12(%ebp), %edx
	mov 16(%ebp), %edi
	WORD 0
	BEGIN_ROUND 0, %ebx, %ecx, %edx, %edi
.irp t, 0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75
	ROUND \t, %eax, %ebx, %ecx, %edx, %edi
	ROUND \t+1, %edi, %eax, %ebx, %ecx, %edx
	ROUND \t+2, %edx, %edi, %eax, %ebx, %ecx
	ROUND \t+3, %ecx, %edx, %edi, %eax, %ebx
	ROUND \t+4, %ebx, %ecx, %edx, %edi, %eax
.endr
	mov .Larg_state(%esp), %ebp
	add %eax, (%ebp)
	add %ebx, 4(%ebp)
	add %ecx, 8(%ebp)
	add %edx, 12(%ebp)
	add %edi, 16(%ebp)
	addl $64, .Larg_blocks(%esp)
	decl .Larg_num_blocks(%esp)
	jnz .Lblock

	// The stack held message words, of a key perhaps.
	xor %eax, %eax
.irp t, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	mov %eax, 4*\t(%esp)
.endr
.Ldone:
	add $64, %esp
	.cfi_adjust_cfa_offset -64
.irp reg, %ebp, %edi, %esi, %ebx
	pop \reg
	.cfi_adjust_cfa_offset -4
	.cfi_restore \reg
.endr
	ret
FUNC_END gate96_sha1_i486

	.section .note.GNU-stack, "", @progbits
