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

/// The value without quotes, to compare with the table of what is not built.
std::string bare(const toml::node& node) {
  const auto text = node.value_exact<std::string>();
  return text ? *text : value_text(node);
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
    } else if (is_not_built(section_, key.str(), bare(node))) {
      error(key.str(), "not supported yet");
    }
  }
}

const toml::node* TableReader::node(std::string_view key) const {
  const toml::node* const node = table_->get(key);
  return node != nullptr && !is_not_built(section_, key, bare(*node)) ? node : nullptr;
}

bool TableReader::has(std::string_view key) const {
  return node(key) != nullptr;
}

unsigned TableReader::line(std::string_view key) const {
  const auto found = table_->find(key);
  return found == table_->end() ? line_ : found->first.source().begin.line;
}

void TableReader::add(Severity severity, std::string_view key, std::string value, std::string message) {
  if (severity == Severity::kError) ++num_errors_;
  report_->diagnostics.push_back({.severity = severity,
                                  .file = report_->file,
                                  .line = line(key),
                                  .key = key.empty() ? section_ : fmt::format("{}.{}", section_, key),
                                  .value = std::move(value),
                                  .message = std::move(message)});
}

bool TableReader::error_at(std::string_view key, std::string value, std::string message) {
  add(Severity::kError, key, std::move(value), std::move(message));
  return false;
}

bool TableReader::error(std::string_view key, std::string message) {
  const toml::node* const node = table_->get(key);
  std::string value;
  if (node != nullptr) value = is_key_material(section_, key) ? "(hidden)" : value_text(*node);
  return error_at(key, std::move(value), std::move(message));
}

void TableReader::warning(std::string_view key, std::string message) {
  const toml::node* const node = table_->get(key);
  std::string value;
  if (node != nullptr) value = is_key_material(section_, key) ? "(hidden)" : value_text(*node);
  add(Severity::kWarning, key, std::move(value), std::move(message));
}

void TableReader::missing(std::string_view key, std::string_view right) {
  if (!table_->contains(key)) error_at(key, "", fmt::format("missing; must be {}", right));
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

std::vector<std::string> TableReader::texts(std::string_view key, std::string_view right) {
  std::vector<std::string> result;
  const toml::node* const found = node(key);
  if (found == nullptr) return result;
  if (!found->is_array()) {
    error(key, fmt::format("must be {}", right));
    return result;
  }
  for (const toml::node& element : *found->as_array()) {
    const auto text = element.value_exact<std::string>();
    if (text) {
      result.push_back(*text);
    } else {
      error_at(key, value_text(element), fmt::format("must be {}", right));
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
