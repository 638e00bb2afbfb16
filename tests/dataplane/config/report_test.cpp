// SPDX-License-Identifier: BSD-3-Clause
// All errors at once, in order of lines; as text and as JSON.
#include <nlohmann/json.hpp>

#include "dataplane/config_keys.h"
#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

constexpr char kBroken[] = R"([gateway]
wrkers = 2
burst = 0
[[port]]
name = "lan"
device = "null"
role = "protected"
[[policy]]
direction = "out"
action = "protect"
sa = "none"
)";

TEST(Report, has_all_errors_in_order_of_lines) {
  const std::vector<std::string> expected{
      "a/gw.toml:2: gateway.wrkers = 2: unknown key; did you mean \"workers\"?",
      "a/gw.toml:3: gateway.burst = 0: must be 1..256",
      "a/gw.toml:11: policy.sa = \"none\": no [[sa]] has this name",
  };
  EXPECT_EQ(said(parse_config(kBroken, "a/gw.toml").diagnostics()), expected);
}

TEST(Report, as_json_is_a_list_of_flat_objects) {
  const auto list = nlohmann::json::parse(to_json(parse_config(kBroken, "gw.toml").diagnostics()));
  ASSERT_EQ(list.size(), 3U);
  const auto expected =
      nlohmann::json::parse(R"({"file": "gw.toml", "line": 3, "key": "gateway.burst", "value": "0",
    "message": "must be 1..256", "severity": "error"})");
  EXPECT_EQ(list[1], expected);
  EXPECT_EQ(to_json({}), "[]");
}

TEST(Report, as_json_survives_bytes_that_are_no_utf_8) {
  Diagnostic odd = error("told");
  odd.file = "\xff\xfe";
  EXPECT_TRUE(nlohmann::json::accept(to_json({odd})));
}

TEST(Report, says_what_it_leaves_out) {
  EXPECT_EQ(to_string(error("told")), "told");
  Diagnostic warning = error("told");
  warning.severity = Severity::kWarning;
  warning.file = "f";
  EXPECT_EQ(to_string(warning), "f: warning: told");
}

TEST(Report, of_a_file_that_is_not_there) {
  EXPECT_EQ(said(load_config("/nonexistent/gw.toml").diagnostics()),
            std::vector<std::string>{"/nonexistent/gw.toml: cannot be read: No such file or directory"});
  EXPECT_EQ(said(load_config("/tmp").diagnostics()),
            std::vector<std::string>{"/tmp: cannot be read: Is a directory"});
}

TEST(Report, of_an_empty_file) {
  const std::vector<std::string> expected{"gw.toml: port: missing; at least one [[port]] is needed",
                                          "gw.toml: policy: missing; at least one [[policy]] is needed"};
  EXPECT_EQ(said(parse_config("", "gw.toml").diagnostics()), expected);
}

TEST(Nearest, forgives_few_letters) {
  const std::string_view words[] = {"workers", "burst", "name"};
  EXPECT_EQ(nearest("wrkers", words), "workers");
  EXPECT_EQ(nearest("wrokers", words), "workers");
  EXPECT_EQ(nearest("worker", words), "workers");
  EXPECT_EQ(nearest("bursts", words), "burst");
  EXPECT_EQ(nearest("nmae", words), "name");
  EXPECT_EQ(nearest("colour", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest(std::string(100'000, 'w'), words), "");
}

}  // namespace
}  // namespace gate96::test
