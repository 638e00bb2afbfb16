// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "dataplane/config.h"

namespace gate96 {

/// A configuration as TOML that load_config() reads back the same, keys as files: key_files[i] is that of
/// sas[i]. What is at its default is left out.
[[nodiscard]] std::string to_toml(const Config& config, const std::vector<std::string>& key_files);

}  // namespace gate96
