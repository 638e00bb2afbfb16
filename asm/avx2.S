// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 block function for the generation of AVX2 (Haswell, Excavator): scalar rounds with BMI2's rotates, an
// AVX message schedule, one stream.
//
//   void gate96_sha1_avx2(uint32_t state[5], const uint8_t *blocks, size_t num_blocks);
//
// Needs BMI2 (rorx) and AVX; its row asks for AVX2, the mark of the generation. vzeroupper on exit. Registers
// and method: one_stream.inc.
//
// No 256-bit vectors: W(t) depends on W(t-3), later on W(t-6), so that eight words of one block cannot be
// made at once. Two blocks could, but the first round of a call would then wait for all eighty words, and
// messages are packets: few blocks a call. The schedule hides behind the rounds as it is.

#include "asm/one_stream.inc"

FUNC_BEGIN gate96_sha1_avx2
	ONE_STREAM avx, rorx
FUNC_END gate96_sha1_avx2
