// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace gate96 {

/// The whole answer of the gateway at the control socket `path` to one line; nullopt, with errno set, if none
/// answers.
[[nodiscard]] std::optional<std::string> ask_gateway(const std::string& path, const std::string& request);

}  // namespace gate96
