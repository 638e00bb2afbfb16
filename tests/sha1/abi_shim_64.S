// SPDX-License-Identifier: BSD-3-Clause
// Calls a function and tells what it left changed that System V AMD64 (3.2.3) says it must not.
//
//   unsigned gate96_test_call(void *function, void *arg1, const void *arg2, size_t arg3);
//
// Returns a bit for each: 0 rbx, 1 rbp, 2 r12, 3 r13, 4 r14, 5 r15, 6 rsp, 7 direction flag set, 8 MXCSR,
// 9 x87 control word.

#include "asm/func.inc"

	.set .Lrbx, 0x1122334455667788
	.set .Lrbp, 0x2233445566778899
	.set .Lr12, 0x33445566778899aa
	.set .Lr13, 0x445566778899aabb
	.set .Lr14, 0x5566778899aabbcc
	.set .Lr15, 0x66778899aabbccdd

FUNC_BEGIN gate96_test_call
.irp reg, %rbx, %rbp, %r12, %r13, %r14, %r15
	push \reg
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset \reg, 0
.endr
	sub $24, %rsp
	.cfi_adjust_cfa_offset 24
	mov %rsp, saved_rsp(%rip)
	stmxcsr (%rsp)
	fnstcw 4(%rsp)
	mov %rdi, %rax
	mov %rsi, %rdi
	mov %rdx, %rsi
	mov %rcx, %rdx
	movabs $.Lrbx, %rbx
	movabs $.Lrbp, %rbp
	movabs $.Lr12, %r12
	movabs $.Lr13, %r13
	movabs $.Lr14, %r14
	movabs $.Lr15, %r15
	call *%rax
	xor %eax, %eax
.macro CHECK bit:req, reg:req, value:req
	movabs $\value, %rcx
	cmp %rcx, \reg
	je 1f
	or $1<<\bit, %eax
1:
.endm
	CHECK 0, %rbx, .Lrbx
	CHECK 1, %rbp, .Lrbp
	CHECK 2, %r12, .Lr12
	CHECK 3, %r13, .Lr13
	CHECK 4, %r14, .Lr14
	CHECK 5, %r15, .Lr15
	cmp saved_rsp(%rip), %rsp
	je 2f
	or $1<<6, %eax
	mov saved_rsp(%rip), %rsp
2:	pushf
	pop %rcx
	test $0x400, %ecx
	jz 3f
	or $1<<7, %eax
	cld
3:	stmxcsr 8(%rsp)
	mov 8(%rsp), %ecx
	cmp (%rsp), %ecx
	je 4f
	or $1<<8, %eax
4:	fnstcw 12(%rsp)
	mov 12(%rsp), %cx
	cmp 4(%rsp), %cx
	je 5f
	or $1<<9, %eax
5:	add $24, %rsp
	.cfi_adjust_cfa_offset -24
.irp reg, %r15, %r14, %r13, %r12, %rbp, %rbx
	pop \reg
	.cfi_adjust_cfa_offset -8
	.cfi_restore \reg
.endr
	ret
FUNC_END gate96_test_call

// unsigned gate96_test_dirty_upper_halves(void): bit n is set if the upper half of ymm n is not zero. Wants
// AVX.
FUNC_BEGIN gate96_test_dirty_upper_halves
	sub $24, %rsp
	.cfi_adjust_cfa_offset 24
	xor %eax, %eax
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vextractf128 $1, %ymm\n, (%rsp)
	mov (%rsp), %rcx
	or 8(%rsp), %rcx
	jz 1f
	or $1<<\n, %eax
1:
.endr
	add $24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
FUNC_END gate96_test_dirty_upper_halves

// void gate96_test_clobber(...): breaks every rule that gate96_test_call looks at, but for rsp.
FUNC_BEGIN gate96_test_clobber
	xor %ebx, %ebx
	xor %ebp, %ebp
	xor %r12d, %r12d
	xor %r13d, %r13d
	xor %r14d, %r14d
	xor %r15d, %r15d
	std
	ret
FUNC_END gate96_test_clobber

// void gate96_test_soil(...): leaves the upper half of ymm5 dirty. Wants AVX.
FUNC_BEGIN gate96_test_soil
	vxorps %xmm5, %xmm5, %xmm5
	vcmpps $0, %ymm5, %ymm5, %ymm5
	ret
FUNC_END gate96_test_soil

// void gate96_test_clean(void): vzeroupper. Wants AVX.
FUNC_BEGIN gate96_test_clean
	vzeroupper
	ret
FUNC_END gate96_test_clean

	.bss
	.balign 8
saved_rsp:
	.skip 8

	.section .note.GNU-stack, "", @progbits
