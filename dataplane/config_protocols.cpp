// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/config_protocols.h"

#include <algorithm>

namespace gate96 {
namespace {

struct Protocol {
  std::string_view name;
  std::uint8_t number;
  bool ports;
};

constexpr Protocol kProtocols[] = {
    {"icmp", 1, false},   {"igmp", 2, false},  {"ipip", 4, false},     {"tcp", 6, true},
    {"udp", 17, true},    {"dccp", 33, true},  {"ipv6", 41, false},    {"rsvp", 46, false},
    {"gre", 47, false},   {"esp", 50, false},  {"ah", 51, false},      {"icmpv6", 58, false},
    {"eigrp", 88, false}, {"ospf", 89, false}, {"pim", 103, false},    {"vrrp", 112, false},
    {"l2tp", 115, false}, {"sctp", 132, true}, {"udplite", 136, true},
};

}  // namespace

std::optional<std::uint8_t> protocol_number(std::string_view name) {
  const auto found = std::ranges::find(kProtocols, name, &Protocol::name);
  if (found == std::end(kProtocols)) return std::nullopt;
  return found->number;
}

std::string protocol_name(std::uint8_t number) {
  const auto found = std::ranges::find(kProtocols, number, &Protocol::number);
  return found == std::end(kProtocols) ? std::to_string(number) : std::string(found->name);
}

std::vector<std::string_view> protocol_names() {
  std::vector<std::string_view> names;
  for (const Protocol& protocol : kProtocols) names.push_back(protocol.name);
  return names;
}

bool has_ports(std::uint8_t number) {
  const auto found = std::ranges::find(kProtocols, number, &Protocol::number);
  return found != std::end(kProtocols) && found->ports;
}

}  // namespace gate96
