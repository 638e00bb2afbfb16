// SPDX-License-Identifier: BSD-3-Clause
// void gate96_test_write_registers(const uint8_t *from, unsigned width)
// void gate96_test_read_registers(uint8_t *to, unsigned width)
// All vector registers at once, unaligned: width 0: XMM0-15 of 16 bytes; 1: YMM0-15 of 32; 2: ZMM0-31 of 64, then
// k0-k7 of 8. 256, 512 and 2,112 bytes.
//   rdi  from, to
//   esi  width
#include "asm/func.inc"

.macro FOR_16 insn:req, reg:req, len:req, store:req
	.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.if \store
	\insn	%\reg\i, (\i * \len)(%rdi)
	.else
	\insn	(\i * \len)(%rdi), %\reg\i
	.endif
	.endr
.endm

.macro FOR_ALL_512 store:req
	FOR_16 vmovdqu64, zmm, 64, \store
	.irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	.if \store
	vmovdqu64 %zmm\i, (\i * 64)(%rdi)
	.else
	vmovdqu64 (\i * 64)(%rdi), %zmm\i
	.endif
	.endr
	.irp i, 0, 1, 2, 3, 4, 5, 6, 7
	.if \store
	kmovq	%k\i, (2048 + \i * 8)(%rdi)
	.else
	kmovq	(2048 + \i * 8)(%rdi), %k\i
	.endif
	.endr
.endm

.macro MOVE_REGISTERS store:req
	cmp	$1, %esi
	je	1f
	ja	2f
	FOR_16 movdqu, xmm, 16, \store
	ret
1:
	FOR_16 vmovdqu, ymm, 32, \store
	ret
2:
	FOR_ALL_512 \store
	ret
.endm

FUNC_BEGIN gate96_test_write_registers
	MOVE_REGISTERS 0
FUNC_END gate96_test_write_registers

FUNC_BEGIN gate96_test_read_registers
	MOVE_REGISTERS 1
FUNC_END gate96_test_read_registers

	.section .note.GNU-stack, "", @progbits
