// SPDX-License-Identifier: BSD-3-Clause
// void gate96_xstate_clean(void)
// Zeroes the upper halves of all YMM and ZMM0-15. With these dirty, legacy SSE code such as SHA-NI's can be a hundred
// times slower. The CPU has AVX.
#include "asm/func.inc"

FUNC_BEGIN gate96_xstate_clean
	vzeroupper
	ret
FUNC_END gate96_xstate_clean

	.section .note.GNU-stack, "", @progbits
