// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/config_load.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>

#include "dataplane/config_draft.h"
#include "dataplane/config_keys.h"

namespace gate96 {
namespace {

constexpr std::size_t kMaxFile = 64 << 20;  // bytes; 100,000 SAs fit

/// What the TOML parser said, without what could be a key in it.
Diagnostic syntax_error(const toml::parse_error& failure, const std::string& path) {
  static const std::regex quote("'[^']{25,}'|[0-9A-Fa-f]{6,}");
  const std::string description(failure.description().substr(0, 400));
  Diagnostic result = error("no valid TOML: " + std::regex_replace(description, quote, "(hidden)"));
  result.file = path;
  result.line = failure.source().begin.line;
  return result;
}

void add(Report& report, unsigned line, std::string_view key, std::string message) {
  Diagnostic diagnostic = error(std::move(message));
  diagnostic.file = report.file;
  diagnostic.line = line;
  diagnostic.key = key;
  report.diagnostics.push_back(std::move(diagnostic));
}

std::vector<std::string_view> section_names() {
  std::vector<std::string_view> names;
  for (const Section& s : sections()) {
    if (s.name.find('.') == s.name.npos) names.push_back(s.name);
  }
  return names;
}

void check_sections(const toml::table& root, Report& report) {
  const auto names = section_names();
  for (const auto& [key, node] : root) {
    const unsigned line = key.source().begin.line;
    if (std::ranges::find(names, key.str()) == names.end()) {
      add(report, line, key.str(), "unknown section" + did_you_mean(key.str(), names));
    } else if (section(key.str()).is_list && !node.is_array_of_tables()) {
      add(report, line, key.str(), fmt::format("must be a list, each item headed [[{}]]", key.str()));
    } else if (!section(key.str()).is_list && !node.is_table()) {
      add(report, line, key.str(), fmt::format("must be one table, headed [{}]", key.str()));
    }
  }
}

/// A reader for the section [name], if there is one.
std::optional<TableReader> one(const toml::table& root, std::string_view name, Report& report) {
  const toml::table* const table = root[name].as_table();
  if (table == nullptr) return std::nullopt;
  return TableReader(*table, std::string(name), report);
}

/// A reader for each item of the list [[name]].
std::vector<TableReader> all(const toml::table& root, std::string_view name, Report& report) {
  std::vector<TableReader> readers;
  const toml::node* const node = root.get(name);
  if (node == nullptr || !node->is_array_of_tables()) return readers;
  for (const toml::node& item : *node->as_array()) {
    readers.emplace_back(*item.as_table(), std::string(name), report);
  }
  return readers;
}

/// The names in a list of tables, as far as they are strings; readers of the items report the rest.
Names names_of(const toml::table& root, std::string_view list) {
  Names names;
  const toml::node* const node = root.get(list);
  if (node == nullptr || !node->is_array_of_tables()) return names;
  std::uint32_t index = 0;
  for (const toml::node& item : *node->as_array()) {
    const auto name = (*item.as_table())["name"].value_exact<std::string>();
    if (name && !name->empty()) names.emplace(*name, index);
    ++index;
  }
  return names;
}

template <typename Item, typename Read>
void read_all(std::vector<TableReader>& tables, std::vector<Item>& items, Read read) {
  items.resize(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) read(tables[i], items[i]);
}

void read_sections(const toml::table& root, Draft& draft) {
  Config& config = draft.config;
  check_sections(root, draft.report);
  draft.port_names = names_of(root, "port");
  draft.sa_names = names_of(root, "sa");
  if (auto table = one(root, "gateway", draft.report)) {
    read_gateway(*table, config.gateway);
    draft.says_state_file = table->has("state_file");
  }
  if (auto table = one(root, "eal", draft.report)) read_eal(*table, config.eal);
  if (auto table = one(root, "fpu", draft.report)) read_fpu(*table, config.gateway.workers, config.fpu);
  draft.ports = all(root, "port", draft.report);
  draft.wires = all(root, "wire", draft.report);
  draft.routes = all(root, "route", draft.report);
  draft.sas = all(root, "sa", draft.report);
  draft.policies = all(root, "policy", draft.report);
  read_all(draft.ports, config.ports, read_port);
  read_all(draft.wires, config.wires, [&](auto& table, auto& item) { read_wire(table, draft, item); });
  read_all(draft.routes, config.routes, [&](auto& table, auto& item) { read_route(table, draft, item); });
  read_all(draft.sas, config.sas, [&](auto& table, auto& item) { read_sa(table, draft, item); });
  read_all(draft.policies, config.policies,
           [&](auto& table, auto& item) { read_policy(table, draft, item); });
  if (config.gateway.control.empty()) config.gateway.control = "/run/gate96/" + config.gateway.name + ".sock";
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& path) {
  Draft draft;
  draft.report.file = draft.config.file = path;
  try {
    const toml::table root = toml::parse(text, path);
    read_sections(root, draft);
    for (const char* const list : {"port", "policy"}) {
      if (!root.contains(list))
        add(draft.report, 0, list, fmt::format("missing; at least one [[{}]] is needed", list));
    }
    check_ports(draft);
    check_wires(draft);
    check_routes(draft);
    check_sas(draft);
    check_policies(draft);
  } catch (const toml::parse_error& failure) {
    return syntax_error(failure, path);
  }
  Diagnostics& found = draft.report.diagnostics;
  std::ranges::stable_sort(found, {}, &Diagnostic::line);
  if (has_errors(found)) return Result<Config>(std::move(found));
  return {std::move(draft.config), std::move(found)};
}

Result<Config> load_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    Diagnostic failure = error(fmt::format("cannot be read: {}", std::strerror(errno != 0 ? errno : EISDIR)));
    failure.file = path;
    return failure;
  }
  if (text.view().size() > kMaxFile) return error(path + ": too long for a configuration");
  return parse_config(text.view(), path);
}

}  // namespace gate96
