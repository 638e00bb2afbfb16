// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/config_reader.h"

#include <fmt/format.h>

#include "dataplane/config_keys.h"

namespace gate96 {
namespace {

std::string with_reason(std::string text, std::string_view reason) {
  return reason.empty() ? text : fmt::format("{} ({})", text, reason);
}

bool is_key_material(std::string_view section, std::string_view key) {
  const std::string_view known[] = {"key", "key_file"};
  return section == "sa" && (key == "key" || nearest(key, known) == "key");
}

}  // namespace

TableReader::TableReader(const toml::table& table, std::string section, Report& report)
    : table_(&table), section_(std::move(section)), report_(&report), line_(table.source().begin.line) {
  check_keys();
}

void TableReader::check_keys() {
  const auto& known = gate96::section(section_).keys;
  for (const auto& [key, node] : *table_) {
    if (std::ranges::find(known, key.str()) == known.end()) {
      const std::string guess = did_you_mean(key.str(), known);
      error(key.str(), "unknown key" + (guess.empty() ? fmt::format("; known: {}", joined(known)) : guess));
    }
  }
}

const toml::node* TableReader::node(std::string_view key) const {
  return table_->get(key);
}

bool TableReader::has(std::string_view key) const {
  return node(key) != nullptr;
}

unsigned TableReader::line(std::string_view key) const {
  const auto found = table_->find(key);
  return found == table_->end() ? line_ : found->first.source().begin.line;
}

bool TableReader::add(Severity severity, std::string_view key, Text value, std::string message) {
  if (severity == Severity::kError) ++num_errors_;
  report_->diagnostics.push_back(
      {.severity = severity,
       .file = report_->file,
       .line = value.line,
       .key = key.empty() ? section_ : fmt::format("{}.{}", section_, unless_secret(std::string(key), key)),
       .value = std::move(value.text),
       .message = std::move(message)});
  return false;
}

Text TableReader::shown(std::string_view key) const {
  const toml::node* const node = table_->get(key);
  if (node == nullptr) return {"", line_};
  return {is_key_material(section_, key) ? "(hidden)" : value_text(*node), line(key)};
}

bool TableReader::error(std::string_view key, std::string message) {
  return add(Severity::kError, key, shown(key), std::move(message));
}

bool TableReader::error_in(std::string_view key, const Text& part, std::string message) {
  return add(Severity::kError, key, {quoted(part.text), part.line}, std::move(message));
}

void TableReader::warning(std::string_view key, std::string message) {
  add(Severity::kWarning, key, shown(key), std::move(message));
}

void TableReader::missing(std::string_view key, std::string_view right) {
  if (!table_->contains(key)) error(key, fmt::format("missing; must be {}", right));
}

bool TableReader::text(std::string_view key, Need need, std::string& out, std::string_view right) {
  const toml::node* const found = node(key);
  if (found == nullptr) {
    if (need == Need::kRequired) missing(key, right);
    return false;
  }
  const auto value = found->value_exact<std::string>();
  if (!value) return error(key, fmt::format("must be {}", right));
  out = *value;
  return true;
}

bool TableReader::boolean(std::string_view key, bool& out) {
  const toml::node* const found = node(key);
  if (found == nullptr) return false;
  const auto value = found->value_exact<bool>();
  if (!value) return error(key, "must be true or false");
  out = *value;
  return true;
}

std::optional<std::int64_t> TableReader::ranged(std::string_view key, Need need, std::int64_t low,
                                                std::int64_t high, std::string_view reason) {
  const std::string range = with_reason(fmt::format("{}..{}", low, high), reason);
  const toml::node* const found = node(key);
  if (found == nullptr) {
    if (need == Need::kRequired) missing(key, "an integer " + range);
    return std::nullopt;
  }
  const auto value = found->value_exact<std::int64_t>();
  if (value && *value >= low && *value <= high) return value;
  error(key, (value ? "must be " : "must be an integer ") + range);
  return std::nullopt;
}

bool TableReader::real(std::string_view key, std::optional<double>& out, double high) {
  const toml::node* const found = node(key);
  if (found == nullptr) return false;
  const auto value = found->is_number() ? found->value<double>() : std::nullopt;
  if (!value || !(*value >= 0 && *value <= high))
    return error(key, fmt::format("must be a number from 0 to {}", high));
  out = *value;
  return true;
}

std::optional<std::size_t> TableReader::one_of(std::string_view key, Need need,
                                               const std::vector<std::string_view>& names) {
  std::string right;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) right += i + 1 == names.size() ? " or " : ", ";
    right += fmt::format("\"{}\"", names[i]);
  }
  std::string written;
  if (!text(key, need, written, right)) return std::nullopt;
  const auto found = std::ranges::find(names, written);
  if (found != names.end()) return found - names.begin();
  error(key, "must be " + right);
  return std::nullopt;
}

bool TableReader::reference(std::string_view key, Need need, std::uint32_t& out, const Names& names,
                            std::string_view kind) {
  std::string written;
  if (!text(key, need, written, fmt::format("the name of a [[{}]]", kind))) return false;
  const auto found = names.find(written);
  if (found == names.end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, index] : names) known.push_back(name);
    return error(key, fmt::format("no [[{}]] has this name{}", kind, did_you_mean(written, known)));
  }
  out = found->second;
  return true;
}

std::vector<Text> TableReader::texts(std::string_view key, std::string_view right) {
  std::vector<Text> result;
  const toml::node* const found = node(key);
  if (found == nullptr) return result;
  if (!found->is_array()) {
    error(key, fmt::format("must be {}", right));
    return result;
  }
  for (const toml::node& element : *found->as_array()) {
    const auto text = element.value_exact<std::string>();
    const unsigned line = element.source().begin.line;
    if (text) {
      result.push_back({*text, line});
    } else {
      add(Severity::kError, key, {value_text(element), line}, fmt::format("must be {}", right));
    }
  }
  return result;
}

std::vector<TableReader> TableReader::tables(std::string_view key) {
  std::vector<TableReader> result;
  const toml::node* const found = node(key);
  if (found == nullptr) return result;
  const toml::array* const list = found->as_array();
  const std::string section = fmt::format("{}.{}", section_, key);
  const auto& keys = gate96::section(section).keys;
  if (list == nullptr || std::ranges::any_of(*list, [](const toml::node& n) { return !n.is_table(); })) {
    error(key, fmt::format("must be a list of tables {{ {} }}", joined(keys)));
    return result;
  }
  for (const toml::node& element : *list) result.emplace_back(*element.as_table(), section, *report_);
  return result;
}

TableReader TableReader::table(std::string_view key) {
  return {*node(key)->as_table(), fmt::format("{}.{}", section_, key), *report_};
}

}  // namespace gate96
