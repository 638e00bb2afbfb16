// SPDX-License-Identifier: BSD-3-Clause
// The rounds of a block in 16 lanes, and meanwhile the transposition of the next one. For the functions with that many
// lanes alone. Registers as in asm/avx512_loop.inc.
//
//   rdi  uint32_t h[5][32]: added to, and to the copy of it in zmm0..4
//   rdx  uint32_t schedule[85][32]: the block in rows 0..15

.set kVectors, 1

#include "asm/func.inc"
#include "asm/avx512_loop.inc"

FUNC_BEGIN gate96_sha1_avx512_loop_x16_rounds
.irp i, 0, 1, 2
	LOAD_WORD %(13 + \i), 0, %(26 + \i)
.endr
.irp i, 0, 1, 2
	SCHEDULE %(16 + \i), 0, %(16 + \i), %(26 + \i)
.endr
	SCHEDULE 19, 0, 19, 16
.irp i, 0, 1, 2, 3, 4
	LOAD_WORD \i, 0, %(16 + \i)
.endr
.set .Lt, 0
	LOAD_K 0
	ROUNDS_UNTIL 15, 0xca, NEXT_LOADED
	ROUNDS_UNTIL 20, 0xca, NEXT_SCHEDULED
	LOAD_K 1
	ROUNDS_UNTIL 40, 0x96, NEXT_SCHEDULED, QUARTERS
	FIRST_WORDS
	LOAD_K 2
	ROUNDS_UNTIL 60, 0xe8, NEXT_SCHEDULED
	LOAD_K 3
	ROUNDS_UNTIL 80, 0x96, NEXT_SCHEDULED, WORDS
.irp i, 0, 1, 2, 3, 4
	ADD_STATE \i, 0, \i
.endr
	ret
FUNC_END gate96_sha1_avx512_loop_x16_rounds

	.section .rodata.gate96_sha1_avx512_loop_x16_rounds, "a", @progbits
	.balign 16
.Lconstants:
	.long 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6

	.section .note.GNU-stack, "", @progbits
