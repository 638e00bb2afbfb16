// SPDX-License-Identifier: BSD-3-Clause
// void gate96_xstate_half_save(void *half, unsigned upper)
// SAVE of one half of the sparc64 register file, modelled as eight XMM registers: 128 bytes.
// half: 16-byte aligned. upper: 0 for XMM0-7, else XMM8-15.
//   rdi  half
//   esi  upper
#include "asm/func.inc"

FUNC_BEGIN gate96_xstate_half_save
	test	%esi, %esi
	jnz	.Lupper
	.irp i, 0, 1, 2, 3, 4, 5, 6, 7
	movaps	%xmm\i, (\i * 16)(%rdi)
	.endr
	ret
.Lupper:
	.irp i, 8, 9, 10, 11, 12, 13, 14, 15
	movaps	%xmm\i, ((\i - 8) * 16)(%rdi)
	.endr
	ret
FUNC_END gate96_xstate_half_save

	.section .note.GNU-stack, "", @progbits
