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

/// What the gateway refuses though the file format has it. No key: the section. No value: whatever the value,
/// which is otherwise as written, without quotes.
struct NotBuilt {
  std::string_view section;
  std::string_view key;
  std::string_view value;
};

[[nodiscard]] std::span<const NotBuilt> not_built();

[[nodiscard]] bool is_not_built(std::string_view section, std::string_view key, std::string_view value);

/// The one of `candidates` that `word` most likely means, or empty when none is near enough.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace gate96
