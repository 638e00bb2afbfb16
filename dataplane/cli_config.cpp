// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/cli_config.h"

#include <fmt/format.h>

#include "dataplane/config_load.h"
#include "dataplane/privileges.h"

namespace gate96 {

Result<Config> load_sealed(const std::string& path) {
  seal_process();
  return load_config(path);
}

std::optional<Config> load_or_complain(const std::string& path) {
  Result<Config> config = load_sealed(path);
  for (const Diagnostic& diagnostic : config.diagnostics()) fmt::print(stderr, "{}\n", to_string(diagnostic));
  if (!config) return std::nullopt;
  return std::move(config).value();
}

}  // namespace gate96
