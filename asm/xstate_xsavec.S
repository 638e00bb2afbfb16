// SPDX-License-Identifier: BSD-3-Clause
// void gate96_xstate_xsavec(void *area, uint64_t mask)
// SAVE by XSAVEC: leaves out initial components and packs the rest (13.10); XSAVES without its privilege and without its modified optimisation.
// area: 64-byte aligned, long enough for the mask (CPUID.0Dh), header zero or written by this instruction before.
// mask: of the components to move; those that XCR0 lacks are left out by the CPU.
//   rdi  area
//   eax, edx  mask, low and high half
#include "asm/func.inc"

FUNC_BEGIN gate96_xstate_xsavec
	mov	%esi, %eax
	mov	%rsi, %rdx
	shr	$32, %rdx
	xsavec64	(%rdi)
	ret
FUNC_END gate96_xstate_xsavec

	.section .note.GNU-stack, "", @progbits
