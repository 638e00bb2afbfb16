// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/cli_config.h"

#include <fmt/format.h>

#include "dataplane/config_load.h"

namespace gate96 {

std::optional<Config> load_or_complain(const std::string& path) {
  Result<Config> config = load_config(path);
  for (const Diagnostic& diagnostic : config.diagnostics()) fmt::print(stderr, "{}\n", to_string(diagnostic));
  if (!config) return std::nullopt;
  return std::move(config).value();
}

}  // namespace gate96
