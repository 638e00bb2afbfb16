// SPDX-License-Identifier: BSD-3-Clause
// What is written is read back the same.
#include <fmt/format.h>

#include "dataplane/config_write.h"
#include "dataplane/export.h"
#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

/// The written form, with the keys in it in the place of their files.
std::string rewritten(const Config& config) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < config.sas.size(); ++i) files.push_back(fmt::format("file-{}", i));
  std::string text = to_toml(config, files);
  for (std::size_t i = 0; i < config.sas.size(); ++i) {
    const std::string line = fmt::format("key_file = \"{}\"", files[i]);
    text.replace(text.find(line), line.size(), fmt::format("key = \"{}\"", key_digits(config.sas[i].key)));
  }
  return text;
}

TEST(Write, round_trip) {
  const std::string more = std::string(kGood) + R"([[sa]]
name = "ospf \"all\""
direction = "both"
spi = 0x300
mode = "transport"
dst = "ff02::5"
key = "00112233445566778899aabbccddeeff00112233"
[[sa]]
name = "more"
direction = "out"
spi = 0x301
mode = "tunnel"
src = "192.0.2.1"
dst = "192.0.2.3"
esn = true
seq_start = 5000000000
replay_window = 32
udp_encap = { src_port = 1, dst_port = 2 }
life_bytes = 5
life_seconds = { soft = 5 }
key = "00112233445566778899aabbccddeeff00112233"
[[policy]]
direction = "out"
priority = 7
dst = "10.3.0.0/24"
protocol = "udp"
src_ports = "1-2"
dst_ports = 53
action = "protect"
sa = "more"
[[policy]]
direction = "in"
src = "10.4.0.0/24"
protocol = "icmp"
icmp_type = "0-8"
icmp_code = 0
action = "discard"
[[policy]]
direction = "in"
protocol = 200
action = "bypass"
)";
  const auto first = parse_config(more, "gw.toml");
  ASSERT_TRUE(first) << to_json(first.diagnostics());
  const std::string text = rewritten(first.value());
  const auto second = parse_config(text, "gw.toml");
  ASSERT_TRUE(second) << text << to_json(second.diagnostics());
  EXPECT_EQ(rewritten(second.value()), text);
  for (const char* const line :
       {"name = \"ospf \\\"all\\\"\"", "seq_start = 5000000000", "replay_window = 32",
        "udp_encap = { src_port = 1, dst_port = 2 }", "life_bytes = { hard = 5 }",
        "life_seconds = { soft = 5 }", "src_ports = \"1-2\"", "dst_ports = 53", "icmp_type = \"0-8\"",
        "protocol = 200", "protocol = \"udp\"", "priority = 7", "esn = true", "direction = \"both\""}) {
    EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
  }
}

}  // namespace
}  // namespace gate96::test
