// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 block function with the SHA extensions, one stream.
//
//   void gate96_sha1_sha_ni(uint32_t state[5], const uint8_t *blocks, size_t num_blocks);
//
// Needs SHA, SSSE3 (pshufb) and SSE4.1 (pinsrd, pextrd). Legacy encoding throughout: the caller must not
// leave upper halves dirty, and no other ISA may be switched on for this file.
//
//   rdi  state       rdx   blocks left          other vectors: asm/sha_ni_rounds.inc
//   rsi  blocks      xmm7  byte order mask
//
// Each sha1rnds4 needs the one before it: the chain of twenty binds, and all else hides in its shadow.

#include "asm/func.inc"
#include "asm/sha_ni_rounds.inc"

.macro LOAD_WORDS from:req, to:req
	movdqu 16 * \from(%rsi), \to
	pshufb %xmm7, \to
.endm

FUNC_BEGIN gate96_sha1_sha_ni
	test %rdx, %rdx
	jz .Ldone

	LOAD_STATE %rdi
	movdqa .Lbyte_order(%rip), %xmm7

	.balign 32
.Lblock:
	BEGIN_BLOCK
	LOAD_WORDS 0, %xmm3
	LOAD_WORDS 1, %xmm4
	LOAD_WORDS 2, %xmm5
	LOAD_WORDS 3, %xmm6
	ALL_ROUNDS
	END_BLOCK
	add $64, %rsi
	dec %rdx
	jnz .Lblock

	STORE_STATE %rdi
.Ldone:
	ret
FUNC_END gate96_sha1_sha_ni

	.section .rodata.gate96_sha1_sha_ni, "a", @progbits
	.balign 16
.Lbyte_order:
	.byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

	.section .note.GNU-stack, "", @progbits
