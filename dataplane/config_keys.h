// SPDX-License-Identifier: BSD-3-Clause
// Every section and key of a configuration file, and which of them the gateway cannot do yet.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gate96 {

struct Section {
  std::string_view name;  // "sa"; a table within a table: "sa.life_bytes"
  bool is_list;           // [[name]] rather than [name]
  std::vector<std::string_view> keys;
};

[[nodiscard]] std::span<const Section> sections();

/// The section of that name. Precondition: it is one of sections().
[[nodiscard]] const Section& section(std::string_view name);

/// The one of `candidates` that `word` most likely means, or empty when none is near enough.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace gate96
