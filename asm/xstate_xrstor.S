// SPDX-License-Identifier: BSD-3-Clause
// void gate96_xstate_xrstor(void *area, uint64_t mask)
// RESTORE by XRSTOR: either format; what the area does not hold is set to its initial state (13.8).
// area: 64-byte aligned, long enough for the mask (CPUID.0Dh), header zero or written by this instruction before.
// mask: of the components to move; those that XCR0 lacks are left out by the CPU.
//   rdi  area
//   eax, edx  mask, low and high half
#include "asm/func.inc"

FUNC_BEGIN gate96_xstate_xrstor
	mov	%esi, %eax
	mov	%rsi, %rdx
	shr	$32, %rdx
	xrstor64	(%rdi)
	ret
FUNC_END gate96_xstate_xrstor

	.section .note.GNU-stack, "", @progbits
