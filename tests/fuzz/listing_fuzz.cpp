// SPDX-License-Identifier: BSD-3-Clause
// Import of ip xfrm listings: whatever the text, a configuration or a reason. Seeds:
// tests/dataplane/export/*.txt.
#include <cstdint>
#include <cstdlib>

#include "dataplane/config_write.h"
#include "dataplane/import_linux.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t len) {
  const std::string_view text(reinterpret_cast<const char*>(data), len);
  const auto whose = len % 2 == 0 ? gate96::Listing::kOurs : gate96::Listing::kPeers;
  const auto config = gate96::import_linux(text, "fuzz", whose);
  if (static_cast<bool>(config) == gate96::has_errors(config.diagnostics())) std::abort();
  if (!config) return 0;
  const std::vector<std::string> keys(config.value().sas.size(), "key");
  if (gate96::to_toml(config.value(), keys).empty()) std::abort();
  return 0;
}
