// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "dataplane/config.h"
#include "dataplane/diagnostics.h"

namespace gate96 {

/// Reads and checks a whole configuration. On failure the result holds every error found, in order of lines;
/// on success, what is worth a warning.
[[nodiscard]] Result<Config> load_config(const std::string& path);

/// The same from text; `path` is only named in messages, and relative key files start from its folder.
[[nodiscard]] Result<Config> parse_config(std::string_view text, const std::string& path);

}  // namespace gate96
