// SPDX-License-Identifier: BSD-3-Clause
// void gate96_xstate_touch(unsigned width)
// Puts ones into one register of each component, so that none is in its initial state and XSAVEOPT and XSAVEC must
// write it all: to the CPU this is what a user task that computes looks like.
// width: 0 SSE, 1 AVX, 2 AVX-512; the caller has checked that the CPU has it. Follow AVX and up with
// gate96_xstate_clean before any legacy SSE instruction.
//   edi  width
#include "asm/func.inc"

FUNC_BEGIN gate96_xstate_touch
	cmp	$1, %edi
	jb	.Lsse
	je	.Lavx
	vpternlogd $0xff, %zmm0, %zmm0, %zmm0
	vpternlogd $0xff, %zmm16, %zmm16, %zmm16
	kxnorw	%k1, %k1, %k1
.Lavx:
	vpcmpeqd %xmm1, %xmm1, %xmm1
	vinsertf128 $1, %xmm1, %ymm1, %ymm1
	ret
.Lsse:
	pcmpeqd	%xmm0, %xmm0
	ret
FUNC_END gate96_xstate_touch

	.section .note.GNU-stack, "", @progbits
