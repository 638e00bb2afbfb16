// SPDX-License-Identifier: BSD-3-Clause
// A configuration on its way from TOML to Config: the values read so far, and beside each item the table it
// came from, so that checks across items can say where.
//
//   1. names      of ports and SAs, so that references may look ahead
//   2. read_*     each table alone: types, ranges, forms, references
//   3. check_*    what several keys or tables say together; skips tables that step 2 found wrong
#pragma once

#include <string>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/config_reader.h"

namespace gate96 {

struct Draft {
  Report report;
  Config config;
  std::vector<TableReader> ports, wires, routes, sas, policies;  // parallel to the lists of `config`
  Names port_names, sa_names;
  bool says_state_file = false;  // gateway.state_file is there, be it empty
};

void read_gateway(TableReader& table, GatewayConfig& gateway);
void read_eal(TableReader& table, EalConfig& eal);
void read_fpu(TableReader& table, unsigned workers, fpu::FpuConfig& config);
void read_port(TableReader& table, PortConfig& port);
void read_wire(TableReader& table, const Draft& draft, WireConfig& wire);
void read_route(TableReader& table, const Draft& draft, RouteConfig& route);
void read_sa(TableReader& table, const Draft& draft, SaConfig& sa);
void read_policy(TableReader& table, const Draft& draft, PolicyConfig& policy);

/// Reports a device that has none of the known forms.
void check_device(TableReader& table, const std::string& device);

/// 20 bytes from `key` or `key_file`, whichever is there. Exactly one must be.
void read_key(TableReader& table, const Draft& draft, SecretKey& key);

void check_ports(Draft& draft);
void check_wires(Draft& draft);
void check_routes(Draft& draft);
void check_sas(Draft& draft);
void check_policies(Draft& draft);

/// Reports items without a name, and names that an earlier item of the list has. `Item` has a member `name`.
template <typename Item>
void check_names(std::vector<TableReader>& tables, const std::vector<Item>& items, const Names& names) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!tables[i].has("name")) continue;
    if (items[i].name.empty()) tables[i].error("name", "must not be empty");
    const auto first = names.find(items[i].name);
    if (first != names.end() && first->second != i) {
      tables[i].error("name", "already in use at line " + std::to_string(tables[first->second].line("name")));
    }
  }
}

/// True if `address` is one of the gateway's own.
[[nodiscard]] bool is_own(const Config& config, const IpAddress& address);

[[nodiscard]] bool all_ok(const std::vector<TableReader>& tables);

}  // namespace gate96
