// SPDX-License-Identifier: BSD-3-Clause
// How values of the file appear in messages. Whatever could be key material does not.
#include <fmt/format.h>

#include <cctype>
#include <sstream>

#include "dataplane/address.h"
#include "dataplane/config_keys.h"
#include "dataplane/config_reader.h"

namespace gate96 {
namespace {

constexpr std::size_t kMaxShown = 80;

/// 16 hexadecimal digits or more and nothing but the usual separators: a key at a wrong place, say.
bool looks_secret(std::string_view text) {
  if (IpPrefix::parse(text)) return false;
  std::size_t num_digits = 0;
  for (const unsigned char c : text) {
    if (std::isxdigit(c) != 0) {
      ++num_digits;
    } else if (std::string_view(" :-_xX\n\t").find(static_cast<char>(c)) == std::string_view::npos) {
      return false;
    }
  }
  return num_digits >= 16;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\') {
      result += fmt::format("\\{}", static_cast<char>(c));
    } else if (c < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", c);
    } else {
      result += static_cast<char>(c);
    }
  }
  return result;
}

std::string scalar_text(const toml::node& node) {
  std::ostringstream stream;
  node.visit([&](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) stream << value;
  });
  return stream.str();
}

}  // namespace

std::string quoted(std::string_view text) {
  if (looks_secret(text)) return "(hidden)";
  if (text.size() <= kMaxShown) return fmt::format("\"{}\"", escaped(text));
  return fmt::format("\"{}...\"", escaped(text.substr(0, kMaxShown)));
}

std::string unless_secret(std::string text, std::string_view secret) {
  return looks_secret(secret) ? "(hidden)" : text;
}

std::string value_text(const toml::node& node) {
  if (node.is_table()) return "{...}";
  if (const auto text = node.value_exact<std::string>()) return quoted(*text);
  const toml::array* const list = node.as_array();
  if (list == nullptr) return scalar_text(node);
  std::string all;
  for (const toml::node& element : *list) all += (all.empty() ? "[" : ", ") + value_text(element);
  all += list->empty() ? "[]" : "]";
  return all.size() <= kMaxShown ? all : "[...]";
}

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) (text += text.empty() ? "" : ", ") += word;
  return text;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view guess = nearest(word, candidates);
  return guess.empty() ? "" : fmt::format("; did you mean \"{}\"?", guess);
}

}  // namespace gate96
