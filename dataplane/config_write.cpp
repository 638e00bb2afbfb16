// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/config_write.h"

#include <fmt/format.h>

#include "dataplane/config_protocols.h"

namespace gate96 {
namespace {

std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string_view name_of(Direction direction) {
  constexpr std::string_view kNames[] = {"in", "out", "both"};
  return kNames[static_cast<std::size_t>(direction)];
}

std::string_view name_of(Action action) {
  constexpr std::string_view kNames[] = {"protect", "bypass", "discard"};
  return kNames[static_cast<std::size_t>(action)];
}

std::string port_text(const PortConfig& port) {
  std::string text =
      fmt::format("\n[[port]]\nname = {}\ndevice = {}\nrole = \"{}\"\n", quote(port.name), quote(port.device),
                  port.role == Role::kProtected ? "protected" : "unprotected");
  std::string addresses;
  for (const IpPrefix& address : port.addresses) {
    addresses += (addresses.empty() ? "" : ", ") + quote(address.to_string());
  }
  if (!addresses.empty()) text += fmt::format("addresses = [{}]\n", addresses);
  if (port.mtu != PortConfig{}.mtu) text += fmt::format("mtu = {}\n", port.mtu);
  return text;
}

std::string route_text(const Config& config, const RouteConfig& route) {
  std::string text = fmt::format("\n[[route]]\nto = \"{}\"\n", route.to.to_string());
  if (route.via) text += fmt::format("via = \"{}\"\n", route.via->to_string());
  return text + fmt::format("port = {}\n", quote(config.ports[route.port].name));
}

std::string lifetime_text(const char* key, const Lifetime& life) {
  if (!life.soft && !life.hard) return {};
  std::string limits;
  if (life.soft) limits += fmt::format("soft = {}", *life.soft);
  if (life.hard) limits += fmt::format("{}hard = {}", limits.empty() ? "" : ", ", *life.hard);
  return fmt::format("{} = {{ {} }}\n", key, limits);
}

std::string sa_text(const SaConfig& sa, const std::string& key_file) {
  std::string text =
      fmt::format("\n[[sa]]\nname = {}\ndirection = \"{}\"\nspi = {:#x}\nmode = \"{}\"\n", quote(sa.name),
                  name_of(sa.direction), sa.spi, sa.mode == Mode::kTunnel ? "tunnel" : "transport");
  if (!sa.src.is_unspecified()) text += fmt::format("src = \"{}\"\n", sa.src.to_string());
  text += fmt::format("dst = \"{}\"\nkey_file = {}\n", sa.dst.to_string(), quote(key_file));
  const bool has_window = !sa.dst.is_multicast() || !sa.src.is_unspecified();
  if (has_window && sa.replay_window != SaConfig{}.replay_window)
    text += fmt::format("replay_window = {}\n", sa.replay_window);
  if (sa.esn) text += "esn = true\n";
  if (sa.seq_start != 1) text += fmt::format("seq_start = {}\n", sa.seq_start);
  if (sa.udp_encap) {
    text += fmt::format("udp_encap = {{ src_port = {}, dst_port = {} }}\n", sa.udp_encap->src_port,
                        sa.udp_encap->dst_port);
  }
  return text + lifetime_text("life_bytes", sa.life_bytes) + lifetime_text("life_packets", sa.life_packets) +
         lifetime_text("life_seconds", sa.life_seconds);
}

std::string range_text(const char* key, const std::optional<PortRange>& range) {
  if (!range) return {};
  if (range->low == range->high) return fmt::format("{} = {}\n", key, range->low);
  return fmt::format("{} = \"{}-{}\"\n", key, range->low, range->high);
}

std::string policy_text(const Config& config, const PolicyConfig& policy) {
  std::string text = fmt::format("\n[[policy]]\ndirection = \"{}\"\n", name_of(policy.direction));
  if (policy.priority != 0) text += fmt::format("priority = {}\n", policy.priority);
  if (policy.src) text += fmt::format("src = \"{}\"\n", policy.src->to_string());
  if (policy.dst) text += fmt::format("dst = \"{}\"\n", policy.dst->to_string());
  if (policy.protocol) {
    const std::string name = protocol_name(*policy.protocol);
    text += fmt::format("protocol = {}\n", protocol_number(name) ? quote(name) : name);
  }
  text += range_text("src_ports", policy.src_ports) + range_text("dst_ports", policy.dst_ports) +
          range_text("icmp_type", policy.icmp_type) + range_text("icmp_code", policy.icmp_code);
  text += fmt::format("action = \"{}\"\n", name_of(policy.action));
  if (policy.sa) text += fmt::format("sa = {}\n", quote(config.sas[*policy.sa].name));
  return text;
}

}  // namespace

std::string to_toml(const Config& config, const std::vector<std::string>& key_files) {
  std::string text = fmt::format("[gateway]\nname = {}\n", quote(config.gateway.name));
  for (const PortConfig& port : config.ports) text += port_text(port);
  for (const RouteConfig& route : config.routes) text += route_text(config, route);
  for (std::size_t i = 0; i < config.sas.size(); ++i) text += sa_text(config.sas[i], key_files[i]);
  for (const PolicyConfig& policy : config.policies) text += policy_text(config, policy);
  return text;
}

}  // namespace gate96
