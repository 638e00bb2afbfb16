// SPDX-License-Identifier: BSD-3-Clause
// What `ip xfrm state` and `ip xfrm policy` print, with or without -s, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/address.h"
#include "dataplane/config.h"

namespace gate96 {

struct XfrmState {
  unsigned line = 0;
  IpAddress src, dst;
  std::string_view proto, mode, auth, enc;  // names as printed; views of the listing's text
  std::string_view auth_key;                // "0x..."
  unsigned auth_bits = 0;                   // of the truncated ICV
  std::uint32_t spi = 0;
  std::uint32_t reqid = 0;
  unsigned replay_window = 0;
  bool esn = false;
  bool aead = false;
  std::optional<UdpEncapConfig> encap;
  std::uint64_t seq = 0;   // highest received
  std::uint64_t oseq = 0;  // last sent
  Lifetime bytes, packets, seconds;
};

struct XfrmTemplate {
  IpAddress src, dst;
  std::string_view proto, mode;
  std::uint32_t reqid = 0;
  bool optional = false;  // level use
};

struct XfrmPolicy {
  unsigned line = 0;
  IpPrefix src, dst;
  std::string_view proto;      // empty: any
  std::string_view direction;  // "in", "out", "fwd"; empty: a socket's own
  std::string_view device;
  bool block = false;
  std::uint32_t priority = 0;
  std::optional<std::uint16_t> sport, dport, type, code;
  std::vector<XfrmTemplate> templates;
};

struct XfrmListing {
  std::vector<XfrmState> states;
  std::vector<XfrmPolicy> policies;
};

/// Words that are not known are passed over, as ip(8) has more of them than matter here. The result has views
/// of `text`.
[[nodiscard]] XfrmListing parse_xfrm(std::string_view text);

}  // namespace gate96
