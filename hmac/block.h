// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sha1/state.h"

namespace gate96::hmac {

/// The block function for code that must not touch vector registers.
sha1::BlockFn scalar_block_fn();

}  // namespace gate96::hmac
