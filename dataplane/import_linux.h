// SPDX-License-Identifier: BSD-3-Clause
// `ip xfrm` listings of a Linux kernel into a configuration.
#pragma once

#include <string_view>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/diagnostics.h"

namespace gate96 {

/// Whose listing it is: of the machine that gate96 shall replace, or of the peer that it shall talk to.
enum class Listing { kOurs, kPeers };

/// `text` is what `ip xfrm state` and `ip xfrm policy` print, one after the other, with or without -s. The
/// ports are guesses: the listing does not know them. The diagnostics say what was left out, and why:
/// whatever is not ESP with NULL encryption and HMAC-SHA1-96. Fails when nothing is left.
[[nodiscard]] Result<Config> import_linux(std::string_view text, const std::string& file, Listing whose);

}  // namespace gate96
