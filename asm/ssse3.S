// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 block function with scalar rounds and an SSSE3 message schedule, one stream.
//
//   void gate96_sha1_ssse3(uint32_t state[5], const uint8_t *blocks, size_t num_blocks);
//
// Needs SSSE3 (pshufb, palignr). Legacy encoding throughout. Registers and method: one_stream.inc.

#include "asm/one_stream.inc"

FUNC_BEGIN gate96_sha1_ssse3
	ONE_STREAM sse, rol
FUNC_END gate96_sha1_ssse3
