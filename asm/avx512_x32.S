// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 in 32 lanes of 32 bits, AVX-512.
//
//   void gate96_sha1_avx512_x32(LaneState *lanes, size_t num_blocks);
//
// Needs AVX512F and AVX512BW. Transposes with shuffles, each block when its turn comes, so it leaves nothing
// staged: the four-byte stores of asm/lanes.inc would take longer than the rounds (asm/avx512_x32_rounds.S).
//
//   rdi  lanes                 r9   &next[16 v]               zmm0..9    state, as the rounds have it
//   rsi  blocks left           rcx  words[0] of vector v      zmm10..13  temporaries
//   r8   bytes absorbed        rdx  schedule                  zmm15      byte swap
//                              rax  temporary                 zmm16..31  16 blocks of 16 lanes

#include "asm/func.inc"
#include "asm/lanes.inc"

.altmacro

.set kVector, 64                // bytes from v = 0 to v = 1 in a row

.macro LOAD_BLOCK lane:req, r:req
	mov 8 * (\lane)(%r9), %rax
	vmovdqu64 (%rax, %r8), %zmm\r
	vpshufb %zmm15, %zmm\r, %zmm\r
.endm

// Blocks of four lanes, a quarter of a block in 128 bits: afterwards a register has a quarter of all four.
.macro GATHER_QUARTERS a:req, b:req, c:req, d:req
	vshufi32x4 $0x44, %zmm\b, %zmm\a, %zmm10
	vshufi32x4 $0xee, %zmm\b, %zmm\a, %zmm11
	vshufi32x4 $0x44, %zmm\d, %zmm\c, %zmm12
	vshufi32x4 $0xee, %zmm\d, %zmm\c, %zmm13
	vshufi32x4 $0x88, %zmm12, %zmm10, %zmm\a
	vshufi32x4 $0xdd, %zmm12, %zmm10, %zmm\b
	vshufi32x4 $0x88, %zmm13, %zmm11, %zmm\c
	vshufi32x4 $0xdd, %zmm13, %zmm11, %zmm\d
.endm

// Quarter q of lanes 4 j + 0, + 1, + 2 and + 3 (128 bits for each j): its four words to their rows of the schedule.
.macro STORE_WORDS q:req, a:req, b:req, c:req, d:req
	vpunpckldq %zmm\b, %zmm\a, %zmm10
	vpunpckhdq %zmm\b, %zmm\a, %zmm11
	vpunpckldq %zmm\d, %zmm\c, %zmm12
	vpunpckhdq %zmm\d, %zmm\c, %zmm13
	vpunpcklqdq %zmm12, %zmm10, %zmm\a
	vpunpckhqdq %zmm12, %zmm10, %zmm\b
	vpunpcklqdq %zmm13, %zmm11, %zmm\c
	vpunpckhqdq %zmm13, %zmm11, %zmm\d
	vmovdqa64 %zmm\a, LANES_ROW * (4 * \q + 0)(%rcx)
	vmovdqa64 %zmm\b, LANES_ROW * (4 * \q + 1)(%rcx)
	vmovdqa64 %zmm\c, LANES_ROW * (4 * \q + 2)(%rcx)
	vmovdqa64 %zmm\d, LANES_ROW * (4 * \q + 3)(%rcx)
.endm

.macro TRANSPOSE
.irp i, 0, 1, 2, 3
	LOAD_BLOCK %(0 + \i), %(16 + 4 * \i)
	LOAD_BLOCK %(4 + \i), %(17 + 4 * \i)
	LOAD_BLOCK %(8 + \i), %(18 + 4 * \i)
	LOAD_BLOCK %(12 + \i), %(19 + 4 * \i)
	GATHER_QUARTERS %(16 + 4 * \i), %(17 + 4 * \i), %(18 + 4 * \i), %(19 + 4 * \i)
.endr
.irp q, 0, 1, 2, 3
	STORE_WORDS \q, %(16 + \q), %(20 + \q), %(24 + \q), %(28 + \q)
.endr
.endm

FUNC_BEGIN gate96_sha1_avx512_x32
	test %rsi, %rsi
	jz .Ldone
	vbroadcasti32x4 .Lswap(%rip), %zmm15
.irp i, 0, 1, 2, 3, 4
	vmovdqa64 LANES_ROW * \i(%rdi), %zmm\i
.endr
.irp i, 5, 6, 7, 8, 9
	vmovdqa64 LANES_ROW * (\i - 5) + kVector(%rdi), %zmm\i
.endr
	xor %r8d, %r8d

.Lblock:
	lea LANES_NEXT(%rdi), %r9
	lea LANES_SCHEDULE(%rdi), %rcx
	lea LANES_SCHEDULE(%rdi), %rdx
.Lvector:
	TRANSPOSE
	add $128, %r9
	add $kVector, %rcx
	lea kVector(%rdx), %rax
	cmp %rax, %rcx
	je .Lvector
	call gate96_sha1_avx512_x32_rounds
	add $64, %r8
	dec %rsi
	jnz .Lblock

	// next[] += r8, or with look_ahead next[] = after[].
	lea LANES_NEXT(%rdi), %r9
	lea LANES_AFTER(%rdi), %rax
	xor %ecx, %ecx
	cmp %ecx, LANES_LOOK_AHEAD(%rdi)
	cmovne %rcx, %r8
	cmovne %rax, %r9
	vpbroadcastq %r8, %zmm10
.irp i, 0, 1, 2, 3
	vpaddq 64 * \i(%r9), %zmm10, %zmm11
	vmovdqu64 %zmm11, LANES_NEXT + 64 * \i(%rdi)
.endr
	mov %ecx, LANES_STAGED(%rdi)
	vzeroupper
.Ldone:
	ret
FUNC_END gate96_sha1_avx512_x32

	.section .rodata.gate96_sha1_avx512_x32, "a", @progbits
	.balign 16
.Lswap:                         // the bytes of each word
	.byte 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12

	.section .note.GNU-stack, "", @progbits
