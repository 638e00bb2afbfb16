// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "dataplane/export.h"

namespace gate96 {

std::string key_digits(const SecretKey& key) {
  std::string digits;
  for (const std::uint8_t byte : key.bytes()) fmt::format_to(std::back_inserter(digits), "{:02x}", byte);
  return digits;
}

std::string export_wireshark(const Config& config, KeyText keys) {
  std::string text =
      "# ESP SAs of " + config.gateway.name + ": put these lines into Wireshark's file esp_sa\n";
  for (const SaConfig& sa : config.sas) {
    const std::string key = keys == KeyText::kKey ? "0x" + key_digits(sa.key) : "KEY OF " + sa.name;
    fmt::format_to(std::back_inserter(text),
                   "\"{}\",\"{}\",\"{}\",\"{:#010x}\",\"NULL\",\"\",\"HMAC-SHA-1-96 [RFC2404]\",\"{}\"\n",
                   sa.dst.is_v4() ? "IPv4" : "IPv6", sa.src.is_unspecified() ? "*" : sa.src.to_string(),
                   sa.dst.to_string(), sa.spi, key);
  }
  return text;
}

}  // namespace gate96
