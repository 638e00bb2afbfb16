// SPDX-License-Identifier: BSD-3-Clause
// Calls a function and tells what it left changed that the System V i386 ABI says it must not.
//
//   unsigned gate96_test_call(void *function, void *arg1, const void *arg2, size_t arg3);   cdecl
//
// Returns a bit for each: 0 ebx, 1 ebp, 2 esi, 3 edi, 7 direction flag set. esp is checked by ebp's slot: it
// returns.

#include "asm/func.inc"

FUNC_BEGIN gate96_test_call
.irp reg, %ebx, %ebp, %esi, %edi
	push \reg
	.cfi_adjust_cfa_offset 4
	.cfi_rel_offset \reg, 0
.endr
	mov 20(%esp), %eax
	push 32(%esp)
	.cfi_adjust_cfa_offset 4
	push 32(%esp)
	.cfi_adjust_cfa_offset 4
	push 32(%esp)
	.cfi_adjust_cfa_offset 4
	mov $0x11223344, %ebx
	mov $0x22334455, %ebp
	mov $0x33445566, %esi
	mov $0x44556677, %edi
	call *%eax
	add $12, %esp
	.cfi_adjust_cfa_offset -12
	xor %eax, %eax
.macro CHECK bit:req, reg:req, value:req
	cmp $\value, \reg
	je 1f
	or $1<<\bit, %eax
1:
.endm
	CHECK 0, %ebx, 0x11223344
	CHECK 1, %ebp, 0x22334455
	CHECK 2, %esi, 0x33445566
	CHECK 3, %edi, 0x44556677
	pushf
	pop %ecx
	test $0x400, %ecx
	jz 2f
	or $1<<7, %eax
	cld
2:
.irp reg, %edi, %esi, %ebp, %ebx
	pop \reg
	.cfi_adjust_cfa_offset -4
	.cfi_restore \reg
.endr
	ret
FUNC_END gate96_test_call

// void gate96_test_clobber(...): breaks every rule that gate96_test_call looks at.
FUNC_BEGIN gate96_test_clobber
	xor %ebx, %ebx
	xor %ebp, %ebp
	xor %esi, %esi
	xor %edi, %edi
	std
	ret
FUNC_END gate96_test_clobber

	.section .note.GNU-stack, "", @progbits
