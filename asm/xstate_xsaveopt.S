// SPDX-License-Identifier: BSD-3-Clause
// void gate96_xstate_xsaveopt(void *area, uint64_t mask)
// SAVE by XSAVEOPT: leaves out components that are initial, or unmodified since the last XRSTOR of this area (13.9).
// area: 64-byte aligned, long enough for the mask (CPUID.0Dh), header zero or written by this instruction before.
// mask: of the components to move; those that XCR0 lacks are left out by the CPU.
//   rdi  area
//   eax, edx  mask, low and high half
#include "asm/func.inc"

FUNC_BEGIN gate96_xstate_xsaveopt
	mov	%esi, %eax
	mov	%rsi, %rdx
	shr	$32, %rdx
	xsaveopt64	(%rdi)
	ret
FUNC_END gate96_xstate_xsaveopt

	.section .note.GNU-stack, "", @progbits
