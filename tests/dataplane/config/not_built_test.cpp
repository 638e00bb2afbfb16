// SPDX-License-Identifier: BSD-3-Clause
// Keys that the format has and the gateway does not: refused by name, never ignored.
#include <fmt/format.h>

#include <algorithm>

#include "dataplane/config_keys.h"
#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

/// kGood with the entry's key in its section, in the place of the same key there, if any.
std::string with(const NotBuilt& entry) {
  std::string text(kGood);
  if (entry.key.empty()) return text + fmt::format("[{}]\n", entry.section);
  const bool is_text = !entry.value.empty() && entry.value != "true";
  const std::string value = is_text ? fmt::format("\"{}\"", entry.value) : "true";
  const std::string line = fmt::format("{} = {}\n", entry.key, value);
  const std::size_t section = text.find(std::string(entry.section) + "]");
  if (section == text.npos) return text + fmt::format("[{}]\n{}", entry.section, line);
  const std::size_t begin = text.find('\n', section) + 1;
  const std::size_t end = text.find("\n[", begin) + 1;
  const std::size_t old = text.find(fmt::format("\n{} = ", entry.key), begin - 1) + 1;
  if (old == 0 || old >= end) return text.insert(begin, line);
  return text.replace(old, text.find('\n', old) + 1 - old, line);
}

TEST(NotBuilt, every_line_of_the_table_is_refused_by_name) {
  for (const NotBuilt& entry : not_built()) {
    const auto result = parse_config(with(entry), "gw.toml");
    EXPECT_FALSE(result) << entry.section << "." << entry.key;
    const std::string key(std::string(entry.section) + (entry.key.empty() ? "" : ".") +
                          std::string(entry.key));
    EXPECT_TRUE(std::ranges::any_of(
        result.diagnostics(),
        [&](const Diagnostic& d) { return d.key == key && d.message == "not supported yet"; }))
        << key << to_json(result.diagnostics());
  }
}

TEST(NotBuilt, only_names_what_the_format_has) {
  for (const NotBuilt& entry : not_built()) {
    const auto& keys = section(entry.section).keys;
    EXPECT_TRUE(entry.key.empty() || std::ranges::find(keys, entry.key) != keys.end()) << entry.key;
  }
}

}  // namespace
}  // namespace gate96::test
