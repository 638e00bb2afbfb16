// SPDX-License-Identifier: BSD-3-Clause
// A good configuration, and what the loader says once a word of it has been changed.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dataplane/config_load.h"

namespace gate96::test {

/// Site A of two gateways. Line numbers in expectations are those of this text.
inline constexpr std::string_view kGood = R"([gateway]
state_file = "site-a.state"
name = "site-a"
[[port]]
name = "lan"
device = "af_packet:lan0"
role = "protected"
addresses = ["10.1.0.1/24", "2001:db8:1::1/64"]
[[port]]
name = "wan"
device = "af_packet:wan0"
role = "unprotected"
addresses = ["192.0.2.1/24"]
neighbours = [{ address = "192.0.2.2", mac = "02:00:00:00:00:02" }]
[[route]]
to = "10.2.0.0/24"
via = "192.0.2.2"
port = "wan"
[[sa]]
name = "to-b"
direction = "out"
spi = 0x1001
mode = "tunnel"
src = "192.0.2.1"
dst = "192.0.2.2"
key = "7f3a90c4d1e85b26aa04f7139cde6b825510e4d7"
[[sa]]
name = "from-b"
direction = "in"
spi = 0x1002
mode = "tunnel"
src = "192.0.2.2"
dst = "192.0.2.1"
key = "c90e1f77b36d24a8805e93bb41fa07d62c8845e1"
[[policy]]
direction = "out"
src = "10.1.0.0/24"
dst = "10.2.0.0/24"
action = "protect"
sa = "to-b"
[[policy]]
direction = "in"
src = "10.2.0.0/24"
dst = "10.1.0.0/24"
action = "protect"
sa = "from-b"
)";

/// In kGood, `nth` occurrence (from 1) of `from` becomes `to`; the loader says exactly `said`.
struct Edit {
  std::string_view name;
  std::string_view from;
  std::string_view to;
  std::vector<std::string> said;
  unsigned nth = 1;
};

inline std::string edited(const Edit& edit) {
  std::string text(kGood);
  std::size_t at = text.find(edit.from);
  for (unsigned i = 1; i < edit.nth && at != text.npos; ++i) at = text.find(edit.from, at + 1);
  EXPECT_NE(at, text.npos) << edit.name << ": nothing to change";
  return at == text.npos ? text : text.replace(at, edit.from.size(), edit.to);
}

inline std::vector<std::string> said(const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics) lines.push_back(to_string(diagnostic));
  return lines;
}

inline void PrintTo(const Edit& edit, std::ostream* stream) {
  *stream << edit.name;
}

/// Each edit makes the configuration wrong, and the messages are these, no more and no less.
class WrongConfig : public testing::TestWithParam<Edit> {
 protected:
  static void check(const Edit& edit) {
    const auto result = parse_config(edited(edit), "gw.toml");
    EXPECT_FALSE(result);
    EXPECT_EQ(said(result.diagnostics()), edit.said);
  }
};

inline std::string edit_name(const testing::TestParamInfo<Edit>& info) {
  return std::string(info.param.name);
}

}  // namespace gate96::test
