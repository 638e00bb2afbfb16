// SPDX-License-Identifier: BSD-3-Clause
// What a running gateway says of itself, as JSON.
#pragma once

#include <string>
#include <string_view>

namespace gate96 {

class Gateway;

/// `what`: "counters", "ports", "sa", "crypto", "fpu" or "events"; anything else gives {"error": ...}.
[[nodiscard]] std::string status_json(const Gateway& gateway, std::string_view what);

}  // namespace gate96
