// SPDX-License-Identifier: BSD-3-Clause
// The section [[sa]], each table alone.
#include <fmt/format.h>

#include "dataplane/config_draft.h"

namespace gate96 {
namespace {

constexpr std::int64_t kMaxSequence = 0xffffffff;                               // RFC 4303 2.2
constexpr std::int64_t kMaxCounter = std::numeric_limits<std::int64_t>::max();  // TOML has no larger integer

/// An SA in which several hosts may send under one number space has no replay check (RFC 4303 2.2).
bool has_many_senders(const SaConfig& sa) {
  return sa.direction == Direction::kBoth || (sa.dst.is_multicast() && sa.src.is_unspecified());
}

void read_ends(TableReader& table, SaConfig& sa) {
  const bool has_dst =
      table.parsed("dst", Need::kRequired, sa.dst, "an IP address: where the ESP packets go");
  const bool may_lack_src = has_dst && sa.dst.is_multicast() && sa.mode == Mode::kTransport;
  const bool has_src = table.parsed("src", may_lack_src ? Need::kOptional : Need::kRequired, sa.src,
                                    "an IP address: where the ESP packets come from");
  if (has_dst && sa.dst.is_unspecified()) table.error("dst", "must not be the unspecified address");
  if (has_src && sa.src.is_unspecified()) table.error("src", "must not be the unspecified address");
  if (has_src && sa.src.is_multicast())
    table.error("src", "must be a unicast address; a packet has one sender");
  if (has_src && has_dst && sa.src.family != sa.dst.family) {
    table.error("src", fmt::format("must be of the same family as dst {}", sa.dst.to_string()));
  }
  if (has_src && has_dst && sa.src == sa.dst) table.error("src", "must differ from dst");
  if (!has_src && has_dst) sa.src.family = sa.dst.family;
}

void read_replay(TableReader& table, SaConfig& sa) {
  table.boolean("esn", sa.esn);
  const bool many = has_many_senders(sa);
  if (many) sa.replay_window = 0;
  if (!table.integer("replay_window", Need::kOptional, sa.replay_window, 0, 65536,
                     "0: none; else at least 32")) {
    if (many && sa.esn)
      table.error("esn", "must be false: an SA of many senders has no window (RFC 4303 2.2)");
    return;
  }
  if (sa.replay_window != 0 && sa.replay_window < 32) {
    table.error("replay_window", "must be 0 (none) or 32..65536 (RFC 4303 3.4.3)");
  } else if (many && sa.replay_window != 0) {
    table.error("replay_window", "must be 0: the hosts of this SA share one number space (RFC 4303 2.2)");
  } else if (sa.esn && sa.replay_window == 0) {
    table.error(
        "esn", "must be false with replay_window 0: the high half is inferred from the window (RFC 4303 A2)");
  }
}

void read_lifetime(TableReader& table, std::string_view key, Lifetime& life) {
  constexpr char kRight[] = "an integer (the hard limit) or { soft = N, hard = N }";
  const toml::node* const node = table.node(key);
  if (node == nullptr) return;
  std::uint64_t limit = 0;
  if (!node->is_table()) {
    if (!node->is_integer()) {
      table.error(key, fmt::format("must be {}", kRight));
    } else if (table.integer(key, Need::kOptional, limit, 1, kMaxCounter)) {
      life.hard = limit;
    }
    return;
  }
  TableReader limits = table.table(key);
  if (limits.integer("soft", Need::kOptional, limit, 1, kMaxCounter)) life.soft = limit;
  if (limits.integer("hard", Need::kOptional, limit, 1, kMaxCounter)) life.hard = limit;
  if (life.soft && life.hard && *life.soft > *life.hard) {
    limits.error("soft", fmt::format("must not be above hard {}", *life.hard));
  }
}

void read_udp_encap(TableReader& table, SaConfig& sa) {
  const toml::node* const node = table.node("udp_encap");
  if (node == nullptr) return;
  UdpEncapConfig encap;
  if (node->is_table()) {
    TableReader ports = table.table("udp_encap");
    ports.integer("src_port", Need::kOptional, encap.src_port, 1, 65535);
    ports.integer("dst_port", Need::kOptional, encap.dst_port, 1, 65535);
    ports.integer("keepalive_seconds", Need::kOptional, encap.keepalive_seconds, 0, 3600, "0: none");
  } else if (!node->is_boolean()) {
    table.error("udp_encap",
                "must be true (port 4500, RFC 3948) or { src_port, dst_port, keepalive_seconds }");
    return;
  } else if (!*node->value<bool>()) {
    return;
  }
  if (sa.dst.is_multicast()) table.error("udp_encap", "must be left out for a multicast dst");
  sa.udp_encap = encap;
}

/// "copy" or a number.
void read_dscp(TableReader& table, SaConfig& sa) {
  const toml::node* const node = table.node("dscp");
  if (node == nullptr) return;
  if (node->is_string()) {
    if (*node->value<std::string>() != "copy") table.error("dscp", "must be \"copy\" or 0..63 (RFC 2474)");
    return;
  }
  std::uint8_t value = 0;
  if (table.integer("dscp", Need::kOptional, value, 0, 63, "RFC 2474")) sa.dscp = value;
}

void read_outer_header(TableReader& table, SaConfig& sa) {
  table.choice<Df>("df", Need::kOptional, sa.df,
                   {{"copy", Df::kCopy}, {"set", Df::kSet}, {"clear", Df::kClear}});
  read_dscp(table, sa);
  table.choice<Ecn>("ecn", Need::kOptional, sa.ecn,
                    {{"normal", Ecn::kNormal}, {"compatibility", Ecn::kCompatibility}});
  table.integer("tfc", Need::kOptional, sa.tfc, 0, 65535, "bytes of payload, RFC 4303 2.7");
  for (const char* const key : {"df", "dscp", "ecn", "tfc"}) {
    if (table.has(key) && sa.mode != Mode::kTunnel) table.error(key, "must be left out in transport mode");
  }
}

}  // namespace

void read_sa(TableReader& table, const Draft& draft, SaConfig& sa) {
  table.text("name", Need::kRequired, sa.name, "a name, unique among the SAs");
  table.choice<Direction>("direction", Need::kRequired, sa.direction,
                          {{"in", Direction::kIn}, {"out", Direction::kOut}, {"both", Direction::kBoth}});
  table.integer("spi", Need::kRequired, sa.spi, 256, 0xffffffff, "RFC 4303 2.1");
  table.choice<Mode>("mode", Need::kRequired, sa.mode,
                     {{"tunnel", Mode::kTunnel}, {"transport", Mode::kTransport}});
  read_ends(table, sa);
  if (sa.direction == Direction::kBoth && (sa.mode != Mode::kTransport || !sa.dst.is_multicast())) {
    table.error("direction",
                "must be \"in\" or \"out\"; \"both\" is for transport mode to a multicast dst (RFC 4552)");
  }
  read_key(table, draft, sa.key);
  read_replay(table, sa);
  table.integer("seq_start", Need::kOptional, sa.seq_start, 1, sa.esn ? kMaxCounter : kMaxSequence,
                "RFC 4303 3.3.3");
  read_udp_encap(table, sa);
  read_outer_header(table, sa);
  read_lifetime(table, "life_bytes", sa.life_bytes);
  read_lifetime(table, "life_packets", sa.life_packets);
  read_lifetime(table, "life_seconds", sa.life_seconds);
}

}  // namespace gate96
