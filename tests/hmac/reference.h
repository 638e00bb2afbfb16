// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "hmac/burst.h"
#include "tests/hmac/hex.h"

namespace gate96::hmac {

using Icv = std::array<std::uint8_t, kIcvLen>;

/// HMAC-SHA1-96 by OpenSSL, or where that is absent by the one-shot interface, which RFC 2202 vouches for.
Icv reference_icv(const Bytes& key, const Bytes& message);

}  // namespace gate96::hmac
