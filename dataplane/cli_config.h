// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "dataplane/config.h"
#include "dataplane/diagnostics.h"

namespace gate96 {

/// Reads a configuration once the process guards its memory (privileges.h), since keys come with it.
[[nodiscard]] Result<Config> load_sealed(const std::string& path);

/// The configuration, its warnings and errors printed to standard error; nullopt if there are errors.
[[nodiscard]] std::optional<Config> load_or_complain(const std::string& path);

}  // namespace gate96
