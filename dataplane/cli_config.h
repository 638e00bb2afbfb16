// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "dataplane/config.h"

namespace gate96 {

/// The configuration, its warnings and errors printed to standard error; nullopt if there are errors.
[[nodiscard]] std::optional<Config> load_or_complain(const std::string& path);

}  // namespace gate96
