// SPDX-License-Identifier: BSD-3-Clause
// The outer hash of HMAC-SHA1 (RFC 2104 2) in 32 lanes: one block, of which only the inner digest is unknown.
//
//   void gate96_sha1_avx512_x32_outer(uint32_t h[5][32], const uint32_t digest[5][64], uint32_t schedule[85][32],
//                                     uint32_t words[16][32]);
//
// h: midstates in, states out. digest: inner digests, columns 0..31. schedule, words: for its own use; the former
// keeps what has to be wiped. Needs AVX512F and AVX512BW.
//
//   rdi  h        rsi  digest        rdx  schedule      rcx  words      the others as in asm/avx512_x32_rounds.S

#include "asm/func.inc"
#include "asm/avx512_x32_stage.inc"

.set kDigestRow, 256            // bytes

.macro STORE_WORD t:req, r:req
	vmovdqa64 %zmm\r, LANES_ROW * (\t)(%rdx)
	vmovdqa64 %zmm\r, LANES_ROW * (\t) + kVector(%rdx)
.endm

FUNC_BEGIN gate96_sha1_avx512_x32_outer
.irp i, 0, 1, 2, 3, 4
	vmovdqa64 kDigestRow * \i(%rsi), %zmm10
	vmovdqa64 kDigestRow * \i + kVector(%rsi), %zmm11
	vmovdqa64 %zmm10, LANES_ROW * \i(%rdx)
	vmovdqa64 %zmm11, LANES_ROW * \i + kVector(%rdx)
.endr
	// FIPS 180-4 5.1.1: behind the 20 bytes of the digest a one bit, zeros, and the count of bits, the key's block included.
	vpbroadcastd .Lone_bit(%rip), %zmm10
	vpbroadcastd .Lnum_bits(%rip), %zmm11
	vpxord %zmm12, %zmm12, %zmm12
	STORE_WORD 5, 10
.irp t, 6, 7, 8, 9, 10, 11, 12, 13, 14
	STORE_WORD \t, 12
.endr
	STORE_WORD 15, 11
.irp i, 0, 1, 2, 3, 4
	vmovdqa64 LANES_ROW * \i(%rdi), %zmm\i
.endr
.irp i, 5, 6, 7, 8, 9
	vmovdqa64 LANES_ROW * (\i - 5) + kVector(%rdi), %zmm\i
.endr
	// The rounds stage blocks, and here there are none: they stage rubbish, namely this table of pointers.
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	sub $256, %rsp
	and $-64, %rsp
	vpbroadcastq %rsp, %zmm10
.irp i, 0, 1, 2, 3
	vmovdqa64 %zmm10, 64 * \i(%rsp)
.endr
	mov %rsp, %r9
	xor %r8d, %r8d
	mov %rdx, %r11
	call gate96_sha1_avx512_x32_rounds
	leave
	.cfi_def_cfa %rsp, 8
	vzeroupper
	ret
FUNC_END gate96_sha1_avx512_x32_outer

	.section .rodata.gate96_sha1_avx512_x32_outer, "a", @progbits
	.balign 16
.Lone_bit:
	.long 0x80000000
.Lnum_bits:
	.long (64 + 20) * 8

	.section .note.GNU-stack, "", @progbits
