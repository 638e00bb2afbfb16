// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 block function for 32-bit x86, one stream.
//
//   void gate96_sha1_i486(uint32_t state[5], const uint8_t *blocks, size_t num_blocks);   cdecl
//
// Needs BSWAP (i486). No workspace but the stack. (The endbr32 at its head is a no-operation from the Pentium
// Pro on.)
//
//   eax ebx ecx edx edi   a b c d e, turning by one each round
//   esi ebp               scratch
//   0(esp) to 63(esp)     W, sixteen words used in a circle (FIPS 180-4 6.1.3)

#include "asm/func.inc"

	.set .Lsaved_len, 16			// four registers
	.set .Larg_state, 64 + .Lsaved_len + 4
	.set .Larg_blocks, .Larg_state + 4
	.set .Larg_num_blocks, .Larg_state + 8

// e += W(t) + K. The first sixteen words are there already.
.macro ADD_WORD t:req, k:req, e:req
	mov 4*((\t)&15)(%esp), %esi
.if (\t) >= 16
	xor 4*(((\t)+2)&15)(%esp), %esi
	xor 4*(((\t)+8)&15)(%esp), %esi
	xor 4*(((\t)+13)&15)(%esp), %esi
	rol $1, %esi
	mov %esi, 4*((\t)&15)(%esp)
.endif
	lea \k(\e,%esi), \e
.endm

.macro ADD_CH b:req, c:req, d:req, e:req
	mov \c, %ebp
	xor \d, %ebp
	and \b, %ebp
	xor \d, %ebp
	add %ebp, \e
.endm

.macro ADD_PARITY b:req, c:req, d:req, e:req
	mov \c, %ebp
	xor \d, %ebp
	xor \b, %ebp
	add %ebp, \e
.endm

// (c & d) + (b & (c ^ d)): the two have no bit in common.
.macro ADD_MAJ b:req, c:req, d:req, e:req
	mov \c, %ebp
	mov \c, %esi
	and \d, %ebp
	xor \d, %esi
	add %ebp, \e
	and \b, %esi
	add %esi, \e
.endm

.macro ROUND t:req, a:req, b:req, c:req, d:req, e:req
.if (\t) / 20 == 0
	ADD_WORD \t, 0x5a827999, \e
	ADD_CH \b, \c, \d, \e
.elseif (\t) / 20 == 1
	ADD_WORD \t, 0x6ed9eba1, \e
	ADD_PARITY \b, \c, \d, \e
.elseif (\t) / 20 == 2
	ADD_WORD \t, 0x8f1bbcdc, \e
	ADD_MAJ \b, \c, \d, \e
.else
	ADD_WORD \t, 0xca62c1d6, \e
	ADD_PARITY \b, \c, \d, \e
.endif
	mov \a, %ebp
	rol $5, %ebp
	rol $30, \b
	add %ebp, \e
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
