// SPDX-License-Identifier: BSD-3-Clause
// Reads one TOML table key by key. Whatever is wrong becomes a diagnostic with its line, and reading goes on,
// so that one run shows all errors.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dataplane/config_load.h"
#include "dataplane/diagnostics.h"

namespace gate96 {

/// What one load has found so far.
struct Report {
  std::string file;
  Diagnostics diagnostics;
};

/// A string of the file and where it stands.
struct Text {
  std::string text;
  unsigned line;
};

/// The names of a list's items and their indices. Of items with the same name, the first.
using Names = std::map<std::string, std::uint32_t>;

enum class Need { kOptional, kRequired };

class TableReader {
 public:
  /// `section` is a name of config_keys.h. Reports the keys it does not have.
  TableReader(const toml::table& table, std::string section, Report& report);

  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] bool ok() const { return num_errors_ == 0; }
  [[nodiscard]] unsigned line() const { return line_; }
  [[nodiscard]] unsigned line(std::string_view key) const;

  // The readers return true when they have written `out`: the key is there and its value is right.
  // `right` completes "must be ..." and is said where the type or the value is wrong, or a needed key is
  // absent.

  bool text(std::string_view key, Need need, std::string& out, std::string_view right = "a string");
  bool boolean(std::string_view key, bool& out);

  /// `reason`: why these limits, such as an RFC's clause; may be empty.
  template <typename Int>
  bool integer(std::string_view key, Need need, Int& out, std::int64_t low, std::int64_t high,
               std::string_view reason = "") {
    const auto value = ranged(key, need, low, high, reason);
    if (value) out = static_cast<Int>(*value);
    return value.has_value();
  }

  template <typename E>
  bool choice(std::string_view key, Need need, E& out,
              std::initializer_list<std::pair<std::string_view, E>> forms) {
    std::vector<std::string_view> names;
    for (const auto& form : forms) names.push_back(form.first);
    const auto index = one_of(key, need, names);
    if (index) out = (forms.begin() + *index)->second;
    return index.has_value();
  }

  /// T is IpAddress, IpPrefix or MacAddress: anything with parse().
  template <typename T>
  bool parsed(std::string_view key, Need need, T& out, std::string_view right) {
    std::string written;
    if (!text(key, need, written, right)) return false;
    const auto value = T::parse(written);
    if (!value) return error(key, "must be " + std::string(right));
    out = *value;
    return true;
  }

  /// One of `names`, as itself or, for an enum whose values are numbered like them, as a value.
  template <typename T>
  bool word(std::string_view key, std::span<const std::string_view> names, T& out) {
    const auto index = one_of(key, Need::kOptional, {names.begin(), names.end()});
    if (!index) return false;
    if constexpr (std::is_enum_v<T>) {
      out = static_cast<T>(*index);
    } else {
      out = names[*index];
    }
    return true;
  }

  /// A number from 0 to `high`, whole or not.
  bool real(std::string_view key, std::optional<double>& out, double high);

  /// The index of the [[kind]] that `key` names.
  bool reference(std::string_view key, Need need, std::uint32_t& out, const Names& names,
                 std::string_view kind);

  /// An array of strings. Elements of another type are reported.
  std::vector<Text> texts(std::string_view key, std::string_view right);

  /// The tables of an array of tables, as section "SECTION.key".
  std::vector<TableReader> tables(std::string_view key);

  /// The node itself, for a key of more than one type; null when absent or not built.
  [[nodiscard]] const toml::node* node(std::string_view key) const;

  /// A table within this one, as section "SECTION.key". Precondition: node(key) is a table.
  [[nodiscard]] TableReader table(std::string_view key);

  /// Adds a diagnostic at `key`, or at the table itself when `key` is not in it. Returns false.
  bool error(std::string_view key, std::string message);
  /// The same for a part of the value at `key`.
  bool error_in(std::string_view key, const Text& part, std::string message);
  void missing(std::string_view key, std::string_view right);
  void warning(std::string_view key, std::string message);

 private:
  void check_keys();
  [[nodiscard]] Text shown(std::string_view key) const;  // the value at `key` for a message
  bool add(Severity severity, std::string_view key, Text value, std::string message);
  std::optional<std::int64_t> ranged(std::string_view key, Need need, std::int64_t low, std::int64_t high,
                                     std::string_view reason);
  std::optional<std::size_t> one_of(std::string_view key, Need need,
                                    const std::vector<std::string_view>& names);

  const toml::table* table_;
  std::string section_;
  Report* report_;
  unsigned line_;
  unsigned num_errors_ = 0;
};

/// A value as the file has it, on one line, for a message. Whatever could be a key is "(hidden)".
[[nodiscard]] std::string value_text(const toml::node& node);

/// `text` in quotes, or "(hidden)" where it could be a key.
[[nodiscard]] std::string quoted(std::string_view text);

/// `text` as it is, or "(hidden)" where `secret`, a part of it, could be a key.
[[nodiscard]] std::string unless_secret(std::string text, std::string_view secret);

/// "a, b, c"
[[nodiscard]] std::string joined(std::span<const std::string_view> words);

/// "; did you mean ...?" or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace gate96
