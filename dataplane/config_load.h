// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "dataplane/config.h"
#include "dataplane/diagnostics.h"

namespace gate96 {

/// Which keys are taken: those that the gateway has built, or every one that the file format has.
enum class Features { kBuilt, kAll };

/// Reads and checks a whole configuration. On failure the result holds every error found, in order of lines;
/// on success, what is worth a warning.
[[nodiscard]] Result<Config> load_config(const std::string& path);

/// The same from text; `path` is only named in messages, and relative key files start from its folder.
[[nodiscard]] Result<Config> parse_config(std::string_view text, const std::string& path,
                                          Features features = Features::kBuilt);

}  // namespace gate96
