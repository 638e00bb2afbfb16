// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/reload.h"

#include <fmt/format.h>

namespace gate96 {
namespace {

class Comparison {
 public:
  explicit Comparison(const Config& next) : next_(next) {}

  template <class T>
  void same(const std::string& key, const T& now, const T& next) {
    if (now == next) return;
    errors_.push_back(
        {.severity = Severity::kError,
         .file = next_.file,
         .line = 0,
         .key = key,
         .value = {},
         .message =
             "differs from the running gateway's, and a reload cannot change it; restart the gateway"});
  }

  [[nodiscard]] Diagnostics errors() && { return std::move(errors_); }

 private:
  const Config& next_;
  Diagnostics errors_;
};

void compare_gateway(Comparison& both, const GatewayConfig& now, const GatewayConfig& next) {
  both.same("gateway.name", now.name, next.name);
  both.same("gateway.control", now.control, next.control);
  both.same("gateway.workers", now.workers, next.workers);
  both.same("gateway.burst", now.burst, next.burst);
  both.same("gateway.idle", now.idle, next.idle);
  both.same("gateway.backend", now.backend, next.backend);
  both.same("gateway.esp_fragments", now.esp_fragments, next.esp_fragments);
  both.same("gateway.state_file", now.state_file, next.state_file);
}

void compare_eal(Comparison& both, const EalConfig& now, const EalConfig& next) {
  both.same("eal.hugepages", now.hugepages, next.hugepages);
  both.same("eal.memory_mb", now.memory_mb, next.memory_mb);
  both.same("eal.extra", now.extra, next.extra);
}

void compare_port(Comparison& both, const PortConfig& now, const PortConfig& next) {
  const std::string port = fmt::format("port \"{}\": ", now.name);
  both.same(port + "name", now.name, next.name);
  both.same(port + "device", now.device, next.device);
  both.same(port + "role", now.role, next.role);
  both.same(port + "addresses", now.addresses, next.addresses);
  both.same(port + "mtu", now.mtu, next.mtu);
  both.same(port + "neighbours", now.neighbours, next.neighbours);
}

}  // namespace

Diagnostics changes_that_need_a_restart(const Config& now, const Config& next) {
  Comparison both(next);
  compare_gateway(both, now.gateway, next.gateway);
  compare_eal(both, now.eal, next.eal);
  both.same("fpu", now.fpu, next.fpu);
  both.same("port: their number", now.ports.size(), next.ports.size());
  for (std::size_t i = 0; i < std::min(now.ports.size(), next.ports.size()); ++i) {
    compare_port(both, now.ports[i], next.ports[i]);
  }
  both.same("wire", now.wires, next.wires);
  return std::move(both).errors();
}

}  // namespace gate96
