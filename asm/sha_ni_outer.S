// SPDX-License-Identifier: BSD-3-Clause
// The outer hash of HMAC-SHA1 (RFC 2104 2) with the SHA extensions, one stream.
//
//   void gate96_sha1_sha_ni_outer(uint32_t state[5], const uint32_t outer[5]);
//
// state: the inner digest in, the outer hash out, words in host order. outer: the key's outer midstate. Needs what
// gate96_sha1_sha_ni needs. The digest goes from the state into the message registers as it is, instead of by way of
// a padded block in memory.
//
//   rdi  state      rsi  outer      vectors: asm/sha_ni_rounds.inc

#include "asm/func.inc"
#include "asm/sha_ni_rounds.inc"

FUNC_BEGIN gate96_sha1_sha_ni_outer
	// Behind the 20 bytes of the digest a one bit, zeros, and the count of bits (FIPS 180-4 5.1.1).
	LOAD_STATE %rdi
	movdqa %xmm0, %xmm3
	movdqa %xmm1, %xmm4
	por .Lone_bit(%rip), %xmm4
	pxor %xmm5, %xmm5
	movdqa .Lnum_bits(%rip), %xmm6
	LOAD_STATE %rsi
	BEGIN_BLOCK
	ALL_ROUNDS
	END_BLOCK
	STORE_STATE %rdi
	ret
FUNC_END gate96_sha1_sha_ni_outer

	.section .rodata.gate96_sha1_sha_ni_outer, "a", @progbits
	.balign 16
.Lone_bit:
	.long 0, 0, 0x80000000, 0
.Lnum_bits:
	.long (64 + 20) * 8, 0, 0, 0

	.section .note.GNU-stack, "", @progbits
