// SPDX-License-Identifier: BSD-3-Clause
// What is allowed and probably not meant.
#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

class Warning : public testing::TestWithParam<Edit> {};

TEST_P(Warning, says) {
  const auto result = parse_config(edited(GetParam()), "gw.toml");
  EXPECT_TRUE(result) << to_json(result.diagnostics());
  EXPECT_EQ(said(result.diagnostics()), GetParam().said);
}

const Edit kEdits[] = {
    {"nothing", "", "", {}},
    {"key_both_ways",
     "c90e1f77b36d24a8805e93bb41fa07d62c8845e1",
     "7F3a90c4d1e85b26aa04f7139cde6b825510e4d7",
     {"gw.toml:34: warning: sa.key = (hidden): the same key as sa \"to-b\" at line 19, the other way; use a "
      "key for each direction"}},
    {"inbound_unnamed",
     "action = \"protect\"\nsa = \"from-b\"",
     "action = \"bypass\"",
     {"gw.toml:28: warning: sa.name = \"from-b\": no policy of direction \"in\" names it: all it carries is "
      "dropped (RFC 4301 5.2)"}},
    {"outbound_unnamed",
     "action = \"protect\"\nsa = \"to-b\"",
     "action = \"bypass\"",
     {"gw.toml:20: warning: sa.name = \"to-b\": no policy of direction \"out\" names it: it is never used"}},
    {"numbers_forgotten",
     "state_file = \"site-a.state\"",
     "",
     {"gw.toml:27: warning: sa.replay_window: will not outlive a restart: old packets pass again, and the "
      "peer "
      "drops our numbers, which begin at 1 (RFC 4303 3.3.3); set gateway.state_file, or \"\" where each "
      "start "
      "has new keys"}},
    {"numbers_forgotten_on_purpose", "state_file = \"site-a.state\"", "state_file = \"\"", {}},
    {"shadowed",
     "[[sa]]",
     "[[policy]]\ndirection = \"out\"\ndst = \"10.0.0.0/8\"\naction = \"discard\"\n[[sa]]",
     {"gw.toml:39: warning: policy: never matches: the policy at line 19 comes first and covers it"}},
    {"shadowed_by_priority",
     "[[sa]]",
     "[[policy]]\ndirection = \"out\"\npriority = 1\nsrc = \"10.1.0.0/25\"\ndst = \"10.2.0.0/24\"\nprotocol "
     "= 6\naction = \"discard\"\n[[sa]]",
     {"gw.toml:19: warning: policy: never matches: the policy at line 42 comes first and covers it"}},
    {"unreachable",
     "dst = \"192.0.2.2\"",
     "dst = \"198.51.100.2\"",
     {"gw.toml:25: warning: sa.dst = \"198.51.100.2\": no port's network and no [[route]] leads there"}},
};

INSTANTIATE_TEST_SUITE_P(all, Warning, testing::ValuesIn(kEdits), edit_name);

}  // namespace
}  // namespace gate96::test
