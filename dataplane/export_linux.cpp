// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "dataplane/config_protocols.h"
#include "dataplane/export.h"

namespace gate96 {
namespace {

constexpr unsigned kMaxWindow = 4096;  // of the kernel: XFRMA_REPLAY_ESN_MAX
constexpr unsigned kDefaultWindow = 64;
constexpr unsigned kMaxPolicies = 64;  // ip xfrm has no ranges: a policy each

/// Our direction as the peer sees it.
std::string_view mirrored(Direction direction) {
  return direction == Direction::kOut ? "in" : "out";
}

/// The environment variable for a key: KEY_ and the SA's name.
std::string variable(const SaConfig& sa) {
  std::string name = "KEY_";
  for (const unsigned char c : sa.name)
    name += std::isalnum(c) != 0 ? static_cast<char>(std::toupper(c)) : '_';
  return name;
}

std::string key_text(const SaConfig& sa, KeyText keys) {
  if (keys == KeyText::kKey) return "0x" + key_digits(sa.key);
  return fmt::format("\"0x${{{}:?40 hexadecimal digits: the key of sa {}}}\"", variable(sa), sa.name);
}

std::string limits(const char* unit, const Lifetime& life) {
  std::string text;
  if (life.soft) text += fmt::format(" limit {}-soft {}", unit, *life.soft);
  if (life.hard) text += fmt::format(" limit {}-hard {}", unit, *life.hard);
  return text;
}

/// Where the numbers do not begin at 1, the peer must know: inbound what it has seen, outbound what it has
/// sent.
std::string sequence(const SaConfig& sa) {
  if (sa.seq_start == 1) return {};
  const char* const name = sa.direction == Direction::kOut ? "replay-seq" : "replay-oseq";
  const std::uint64_t last = sa.seq_start - 1;
  std::string text = fmt::format(" {} {:#x}", name, last & 0xffffffff);
  if (sa.esn) text += fmt::format(" {}-hi {:#x}", name, last >> 32);
  return text;
}

/// The kernel refuses ESN without a window, outbound too.
unsigned window(const SaConfig& sa) {
  const unsigned wanted = sa.replay_window == 0 && sa.esn ? kDefaultWindow : sa.replay_window;
  return std::min(wanted, kMaxWindow);
}

std::string state(const SaConfig& sa, std::size_t reqid, KeyText keys) {
  std::string text =
      fmt::format("ip xfrm state add src {} dst {} proto esp spi {:#010x} reqid {} mode {} replay-window {}",
                  sa.src.to_string(), sa.dst.to_string(), sa.spi, reqid,
                  sa.mode == Mode::kTunnel ? "tunnel" : "transport", window(sa));
  if (sa.esn) text += " flag esn";
  text += sequence(sa);
  text += limits("byte", sa.life_bytes) + limits("packet", sa.life_packets) + limits("time", sa.life_seconds);
  text += fmt::format(" \\\n  auth-trunc 'hmac(sha1)' {} 96 enc 'ecb(cipher_null)' ''", key_text(sa, keys));
  if (sa.udp_encap) {
    text += fmt::format(" encap espinudp {} {} {}", sa.udp_encap->src_port, sa.udp_encap->dst_port,
                        sa.dst.is_v4() ? "0.0.0.0" : "::");
  }
  return text + "\n";
}

unsigned count(const std::optional<PortRange>& range) {
  return range ? range->high - range->low + 1U : 1U;
}

/// One set of ports, or ICMP type and code, of a policy: what ip xfrm can say in one command.
std::string upper_layer(const PolicyConfig& policy, unsigned first, unsigned second) {
  if (!policy.protocol) return {};
  std::string text = fmt::format(" proto {}", *policy.protocol);
  const auto add = [&](const char* name, const std::optional<PortRange>& range, unsigned offset) {
    if (range && count(range) <= 0xffff) text += fmt::format(" {} {}", name, range->low + offset);
  };
  add("sport", policy.src_ports, first);
  add("dport", policy.dst_ports, second);
  add("type", policy.icmp_type, first);
  add("code", policy.icmp_code, second);
  return text;
}

std::string any(Family family) {
  return family == Family::kIpv4 ? "0.0.0.0/0" : "::/0";
}

/// The commands for one policy in one direction of the peer and one address family.
std::string commands(const PolicyConfig& policy, const SaConfig& sa, Family family,
                     std::string_view direction) {
  const auto& first = policy.src_ports ? policy.src_ports : policy.icmp_type;
  const auto& second = policy.dst_ports ? policy.dst_ports : policy.icmp_code;
  const auto of_all = [](const auto& range) { return count(range) > 0xffff ? 1U : count(range); };
  std::string text;
  for (unsigned i = 0; i < of_all(first); ++i) {
    for (unsigned j = 0; j < of_all(second); ++j) {
      text += fmt::format(
          "ip xfrm policy add src {} dst {}{} dir {} priority {} \\\n  tmpl src {} dst {} proto esp reqid {} "
          "mode {}\n",
          policy.src ? policy.src->to_string() : any(family),
          policy.dst ? policy.dst->to_string() : any(family), upper_layer(policy, i, j), direction,
          policy.priority, sa.src.to_string(), sa.dst.to_string(), *policy.sa + 1,
          sa.mode == Mode::kTunnel ? "tunnel" : "transport");
    }
  }
  return text;
}

/// The families that a policy is about: without addresses, a tunnel carries both.
std::vector<Family> families(const PolicyConfig& policy, const SaConfig& sa) {
  if (policy.src) return {policy.src->address.family};
  if (policy.dst) return {policy.dst->address.family};
  if (sa.mode == Mode::kTransport) return {sa.dst.family};
  return {Family::kIpv4, Family::kIpv6};
}

std::string policy_text(const PolicyConfig& policy, const SaConfig& sa) {
  const auto of_all = [](const auto& range) { return count(range) > 0xffff ? 1U : count(range); };
  const unsigned num = of_all(policy.src_ports) * of_all(policy.dst_ports) * of_all(policy.icmp_type) *
                       of_all(policy.icmp_code);
  if (num > kMaxPolicies) {
    return fmt::format(
        "# left out: a policy of sa {}: ip xfrm has no ranges, and this one would take {} commands\n",
        sa.name, num);
  }
  std::string text;
  for (const Family family : families(policy, sa)) {
    text += commands(policy, sa, family, mirrored(policy.direction));
    // What a tunnel brings for hosts behind the peer is asked for in a list of its own.
    if (policy.direction == Direction::kOut && sa.mode == Mode::kTunnel)
      text += commands(policy, sa, family, "fwd");
  }
  return text;
}

}  // namespace

std::string export_linux(const Config& config, KeyText keys) {
  std::string text = fmt::format("#!/bin/sh -e\n# A Linux kernel as peer of {}.\n", config.gateway.name);
  for (std::size_t i = 0; i < config.sas.size(); ++i) {
    text += fmt::format("\n# sa {}\n", config.sas[i].name) + state(config.sas[i], i + 1, keys);
  }
  text += "\n";
  for (const PolicyConfig& policy : config.policies) {
    if (policy.sa) text += policy_text(policy, config.sas[*policy.sa]);
  }
  return text;
}

}  // namespace gate96
