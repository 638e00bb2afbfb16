// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 in 32 lanes of 32 bits, AVX-512.
//
//   void gate96_sha1_avx512_x32(LaneState *lanes, size_t num_blocks);
//
// Needs AVX512F and AVX512BW. The rounds (asm/avx512_x32_rounds.S) have the block transposed already, and transpose the
// one after it.
//
//   rdi  lanes      rsi  blocks left      the stack has 64 num_blocks
//   the others as the rounds have them; r9 points to next[], or to after[] for the last block

#include "asm/func.inc"
#include "asm/avx512_x32_stage.inc"

// Four turns with no rounds beside them, until \pointer has moved on by \bytes.
.macro FOUR_TURNS unit:req, pointer:req, bytes:req
	lea \bytes(%\pointer), %r10
.Lturn\@:
	\unit 0
	\unit 1
	\unit 2
	\unit 3
	cmp %r10, %\pointer
	jne .Lturn\@
.endm

.macro POINT_TO_FIRSTS
	lea LANES_SCHEDULE(%rdi), %r11
	lea LANES_WORDS(%rdi), %rcx
.endm

FUNC_BEGIN gate96_sha1_avx512_x32
	test %rsi, %rsi
	jz .Ldone
	mov %rsi, %rax
	shl $6, %rax
	push %rax
	.cfi_adjust_cfa_offset 8
	vbroadcasti32x4 .Lswap(%rip), %zmm15
	xor %r8d, %r8d
	cmp %r8d, LANES_STAGED(%rdi)
	jne .Lstaged
	POINT_TO_FIRSTS
	lea LANES_NEXT(%rdi), %r9
	FOUR_TURNS QUARTERS, r9, 32
	NEXT_QUARTERS
	FOUR_TURNS QUARTERS, r9, 32
	FIRST_WORDS
	FOUR_TURNS WORDS, r11, %(16 * LANES_ROW)
	NEXT_WORDS
	FOUR_TURNS WORDS, r11, %(16 * LANES_ROW)
.Lstaged:
	cmp %r8d, LANES_LOOK_AHEAD(%rdi)
	jne .Lentered
	// The last block has nothing to stage. It stages rubbish: after[] itself, which is readable and no secret.
	lea LANES_AFTER(%rdi), %rax
	vpbroadcastq %rax, %zmm10
.irp i, 0, 1, 2, 3
	vmovdqu64 %zmm10, LANES_AFTER + 64 * \i(%rdi)
.endr
.Lentered:
.irp i, 0, 1, 2, 3, 4
	vmovdqa64 LANES_ROW * \i(%rdi), %zmm\i
.endr
.irp i, 5, 6, 7, 8, 9
	vmovdqa64 LANES_ROW * (\i - 5) + kVector(%rdi), %zmm\i
.endr

.Lblock:
	add $64, %r8
	lea LANES_NEXT(%rdi), %r9
	cmp $1, %rsi
	jne .Lnot_last
	lea LANES_AFTER(%rdi), %r9
	xor %r8d, %r8d
.Lnot_last:
	lea LANES_SCHEDULE(%rdi), %rdx
	POINT_TO_FIRSTS
	call gate96_sha1_avx512_x32_rounds
	dec %rsi
	jnz .Lblock

	// next[] += 64 num_blocks, or with look_ahead next[] = after[].
	pop %r8
	.cfi_adjust_cfa_offset -8
	lea LANES_NEXT(%rdi), %r9
	lea LANES_AFTER(%rdi), %rax
	mov LANES_LOOK_AHEAD(%rdi), %ecx
	mov %ecx, LANES_STAGED(%rdi)
	test %ecx, %ecx
	cmovnz %rsi, %r8
	cmovnz %rax, %r9
	vpbroadcastq %r8, %zmm10
.irp i, 0, 1, 2, 3
	vpaddq 64 * \i(%r9), %zmm10, %zmm11
	vmovdqu64 %zmm11, LANES_NEXT + 64 * \i(%rdi)
.endr
	vzeroupper
.Ldone:
	ret
FUNC_END gate96_sha1_avx512_x32

	.section .rodata.gate96_sha1_avx512_x32, "a", @progbits
	.balign 16
.Lswap:                         // the bytes of each word
	.byte 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12

	.section .note.GNU-stack, "", @progbits
