// SPDX-License-Identifier: BSD-3-Clause
// Sections, unknown keys, types, and the [gateway] and [eal] tables.
#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

using WrongFile = WrongConfig;

TEST_P(WrongFile, says) {
  check(GetParam());
}

const Edit kEdits[] = {
    {"syntax",
     "name = \"site-a\"",
     "name = ",
     {"gw.toml:3: no valid TOML: Error while parsing key-value pair: expected value, saw '\\n'"}},
    {"key_twice",
     "name = \"site-a\"",
     "name = \"a\"\nname = \"b\"",
     {"gw.toml:4: no valid TOML: Error while parsing key-value pair: cannot redefine existing string "
      "'name'"}},
    {"unknown_section",
     "[[route]]",
     "[[rout]]",
     {"gw.toml:15: rout: unknown section; did you mean \"route\"?"}},
    {"far_section", "[[route]]", "[[nat]]", {"gw.toml:15: nat: unknown section"}},
    {"list_as_table",
     "[gateway]",
     "[[gateway]]",
     {"gw.toml:1: gateway: must be one table, headed [gateway]"}},
    {"table_as_list",
     "[[route]]",
     "[route]",
     {"gw.toml:15: route: must be a list, each item headed [[route]]"}},
    {"unknown_key",
     "name = \"site-a\"",
     "nmae = \"site-a\"",
     {"gw.toml:3: gateway.nmae = \"site-a\": unknown key; did you mean \"name\"?"}},
    {"far_key",
     "name = \"site-a\"",
     "colour = \"red\"",
     {"gw.toml:3: gateway.colour = \"red\": unknown key; known: name, control, workers, burst, idle, "
      "backend, esp_fragments, state_file"}},
    {"gateway_name",
     "\"site-a\"",
     "\"site/a\"",
     {"gw.toml:3: gateway.name = \"site/a\": must be 1 to 32 letters, digits, '-', '_' or '.', and not begin "
      "with '.'"}},
    {"gateway_name_type", "\"site-a\"", "7", {"gw.toml:3: gateway.name = 7: must be a string"}},
    {"control_relative",
     "name = \"site-a\"",
     "control = \"gw.sock\"",
     {"gw.toml:3: gateway.control = \"gw.sock\": must be an absolute path"}},
    {"workers_zero", "name = \"site-a\"", "workers = 0", {"gw.toml:3: gateway.workers = 0: must be 1..16"}},
    {"workers_float",
     "name = \"site-a\"",
     "workers = 2.0",
     {"gw.toml:3: gateway.workers = 2.0: must be an integer 1..16"}},
    {"workers_string",
     "name = \"site-a\"",
     "workers = \"2\"",
     {"gw.toml:3: gateway.workers = \"2\": must be an integer 1..16"}},
    {"burst", "name = \"site-a\"", "burst = 257", {"gw.toml:3: gateway.burst = 257: must be 1..256"}},
    {"idle",
     "name = \"site-a\"",
     "idle = \"spin\"",
     {"gw.toml:3: gateway.idle = \"spin\": must be \"sleep\" or \"poll\""}},
    {"esp_fragments",
     "name = \"site-a\"",
     "esp_fragments = \"drop\"",
     {"gw.toml:3: gateway.esp_fragments = \"drop\": must be \"reassemble\" or \"discard\""}},
    {"memory",
     "[[port]]",
     "[eal]\nmemory_mb = 32\n[[port]]",
     {"gw.toml:5: eal.memory_mb = 32: must be 64..1048576"}},
    {"hugepages",
     "[[port]]",
     "[eal]\nhugepages = 1\n[[port]]",
     {"gw.toml:5: eal.hugepages = 1: must be true or false"}},
    {"extra_own",
     "[[port]]",
     "[eal]\nextra = [\"--log-level=8\", \"--file-prefix=x\"]\n[[port]]",
     {"gw.toml:5: eal.extra = \"--file-prefix=x\": must not be among them; gateway.name sets it"}},
    {"extra_type",
     "[[port]]",
     "[eal]\nextra = \"-v\"\n[[port]]",
     {"gw.toml:5: eal.extra = \"-v\": must be a list of strings, one argument each"}},
};

// The list of backends that follows is the machine's.
TEST(WrongBackend, says_which_there_are) {
  const Edit edit{"", "name = \"site-a\"", "backend = \"sha512\"", {}};
  const auto lines = said(parse_config(edited(edit), "gw.toml").diagnostics());
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with(
      "gw.toml:3: gateway.backend = \"sha512\": must be \"auto\" or a backend that runs here: "));
  EXPECT_NE(lines[0].find("generic"), std::string::npos) << lines[0];
}

INSTANTIATE_TEST_SUITE_P(all, WrongFile, testing::ValuesIn(kEdits), edit_name);

}  // namespace
}  // namespace gate96::test
