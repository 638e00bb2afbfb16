// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/export.h"

#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

/// kGood with the lines `extra` after the first line `after`.
Config with(std::string_view after, const std::string& extra) {
  const std::string text = edited({"", after, std::string(after) + "\n" + extra, {}});
  auto result = parse_config(text, "gw.toml");
  EXPECT_TRUE(result) << to_json(result.diagnostics());
  return result ? std::move(result).value() : Config{};
}

Config good() {
  return with("name = \"site-a\"", "");
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++number;
  return number;
}

TEST(ExportLinux, is_the_peers_side) {
  EXPECT_EQ(export_linux(good(), KeyText::kKey), R"(#!/bin/sh -e
# A Linux kernel as peer of site-a.

# sa to-b
ip xfrm state add src 192.0.2.1 dst 192.0.2.2 proto esp spi 0x00001001 reqid 1 mode tunnel replay-window 64 \
  auth-trunc 'hmac(sha1)' 0x7f3a90c4d1e85b26aa04f7139cde6b825510e4d7 96 enc 'ecb(cipher_null)' ''

# sa from-b
ip xfrm state add src 192.0.2.2 dst 192.0.2.1 proto esp spi 0x00001002 reqid 2 mode tunnel replay-window 64 \
  auth-trunc 'hmac(sha1)' 0xc90e1f77b36d24a8805e93bb41fa07d62c8845e1 96 enc 'ecb(cipher_null)' ''

ip xfrm policy add src 10.1.0.0/24 dst 10.2.0.0/24 dir in priority 0 \
  tmpl src 192.0.2.1 dst 192.0.2.2 proto esp reqid 1 mode tunnel
ip xfrm policy add src 10.1.0.0/24 dst 10.2.0.0/24 dir fwd priority 0 \
  tmpl src 192.0.2.1 dst 192.0.2.2 proto esp reqid 1 mode tunnel
ip xfrm policy add src 10.2.0.0/24 dst 10.1.0.0/24 dir out priority 0 \
  tmpl src 192.0.2.2 dst 192.0.2.1 proto esp reqid 2 mode tunnel
)");
}

TEST(Export, shows_no_key_unless_asked) {
  for (const auto make : {export_linux, export_wireshark}) {
    EXPECT_FALSE(has(make(good(), KeyText::kPlaceholder), "7f3a90c4"));
    EXPECT_TRUE(has(make(good(), KeyText::kKey), "0x7f3a90c4d1e85b26aa04f7139cde6b825510e4d7"));
  }
  EXPECT_TRUE(has(export_linux(good(), KeyText::kPlaceholder), "${KEY_TO_B:?"));
}

TEST(ExportLinux, says_what_an_sa_has) {
  const Config config = with("spi = 0x1001",
                             "esn = true\nreplay_window = 65536\nseq_start = 0x1fffffffe\nudp_encap = true\n"
                             "life_bytes = { soft = 9, hard = 10 }\nlife_seconds = 60");
  const std::string text = export_linux(config, KeyText::kKey);
  EXPECT_TRUE(has(text, " replay-window 4096 flag esn replay-seq 0xfffffffd replay-seq-hi 0x1")) << text;
  EXPECT_TRUE(has(text, " limit byte-soft 9 limit byte-hard 10 limit time-hard 60")) << text;
  EXPECT_TRUE(has(text, " encap espinudp 4500 4500 0.0.0.0")) << text;
}

TEST(ExportLinux, gives_each_port_a_policy) {
  const Config config = with("dst = \"10.2.0.0/24\"", "protocol = \"tcp\"\ndst_ports = \"80-82\"");
  const std::string text = export_linux(config, KeyText::kPlaceholder);
  for (const char* const dir : {"in", "fwd"}) {
    for (const char* const port : {"80", "81", "82"}) {
      EXPECT_TRUE(has(text, std::string(" proto 6 dport ") + port + " dir " + dir)) << text;
    }
  }
  EXPECT_EQ(count(text, "ip xfrm policy"), 7U);
}

TEST(ExportLinux, names_a_policy_that_it_leaves_out) {
  const Config config = with("dst = \"10.2.0.0/24\"", "protocol = \"tcp\"\ndst_ports = \"1024-65535\"");
  const std::string text = export_linux(config, KeyText::kPlaceholder);
  EXPECT_TRUE(
      has(text,
          "# left out: a policy of sa to-b: ip xfrm has no ranges, and this one would take 64512 commands"));
  EXPECT_EQ(count(text, "ip xfrm policy"), 1U);
}

TEST(ExportLinux, takes_a_tunnel_without_addresses_for_both_families) {
  const std::string text = edited({"", "src = \"10.1.0.0/24\"\ndst = \"10.2.0.0/24\"\n", "", {}});
  const auto config = parse_config(text, "gw.toml");
  ASSERT_TRUE(config);
  const std::string peer = export_linux(config.value(), KeyText::kPlaceholder);
  EXPECT_TRUE(has(peer, "policy add src 0.0.0.0/0 dst 0.0.0.0/0 dir in"));
  EXPECT_TRUE(has(peer, "policy add src ::/0 dst ::/0 dir fwd"));
}

TEST(ExportWireshark, has_eight_fields) {
  EXPECT_EQ(export_wireshark(good(), KeyText::kKey),
            "# ESP SAs of site-a: put these lines into Wireshark's file esp_sa\n"
            "\"IPv4\",\"192.0.2.1\",\"192.0.2.2\",\"0x00001001\",\"NULL\",\"\",\"HMAC-SHA-1-96 [RFC2404]\","
            "\"0x7f3a90c4d1e85b26aa04f7139cde6b825510e4d7\"\n"
            "\"IPv4\",\"192.0.2.2\",\"192.0.2.1\",\"0x00001002\",\"NULL\",\"\",\"HMAC-SHA-1-96 [RFC2404]\","
            "\"0xc90e1f77b36d24a8805e93bb41fa07d62c8845e1\"\n");
}

}  // namespace
}  // namespace gate96::test
