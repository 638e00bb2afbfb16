// SPDX-License-Identifier: BSD-3-Clause
// The configuration loader on arbitrary text: it may refuse, with messages that are well formed, and nothing
// else. Seeds: tools/examples.
#include <cstdint>
#include <cstdlib>

#include "dataplane/config_load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t len) {
  const std::string_view text(reinterpret_cast<const char*>(data), len);
  const auto result = gate96::parse_config(text, "fuzz.toml");
  const bool failed = gate96::has_errors(result.diagnostics());
  if (static_cast<bool>(result) == failed) std::abort();  // errors and a value, or neither
  for (const gate96::Diagnostic& diagnostic : result.diagnostics()) {
    if (diagnostic.file != "fuzz.toml" || diagnostic.message.empty()) std::abort();
  }
  if (gate96::to_json(result.diagnostics()).empty()) std::abort();
  return 0;
}
