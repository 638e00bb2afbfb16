// SPDX-License-Identifier: BSD-3-Clause
// Keys from files: found beside the configuration, never shown, and watched for loose permissions.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

constexpr char kDigits[] = "7f3a90c4d1e85b26aa04f7139cde6b825510e4d7";

class KeyFile : public testing::Test {
 protected:
  KeyFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gate96-key-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~KeyFile() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text, mode_t mode) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
  }

  /// Loads a configuration in the folder whose first SA has the key file `name`.
  [[nodiscard]] Result<Config> load(const std::string& name) const {
    const std::string inline_key = std::string("key = \"") + kDigits + "\"";
    const std::string key_file = "key_file = \"" + name + "\"";
    write("gw.toml", edited({"", inline_key, key_file, {}}), 0600);
    return load_config(folder_ + "/gw.toml");
  }

  std::string folder_;
};

TEST_F(KeyFile, is_found_beside_the_configuration) {
  write("b.key", std::string(kDigits) + "\n", 0600);
  const auto config = load("b.key");
  ASSERT_TRUE(config) << to_json(config.diagnostics());
  EXPECT_EQ(config.diagnostics().size(), 0U);
  EXPECT_EQ(config.value().sas[0].key.bytes()[0], 0x7f);
  EXPECT_EQ(config.value().sas[0].key.bytes()[19], 0xd7);
}

TEST_F(KeyFile, may_be_an_absolute_path_and_upper_case) {
  write("b.key", "  7F3A90C4D1E85B26AA04F7139CDE6B825510E4D7", 0400);
  const auto config = load(folder_ + "/b.key");
  ASSERT_TRUE(config);
  EXPECT_EQ(config.value().sas[0].key.bytes()[19], 0xd7);
}

TEST_F(KeyFile, that_others_can_read_gets_a_warning) {
  write("b.key", kDigits, 0640);
  const auto config = load("b.key");
  ASSERT_TRUE(config);
  const std::string said_once =
      folder_ + "/gw.toml:26: warning: sa.key_file = \"b.key\": others than the owner have access to " +
      folder_ + "/b.key (mode 0640); chmod 600";
  EXPECT_EQ(said(config.diagnostics()), std::vector<std::string>{said_once});
}

TEST_F(KeyFile, with_a_short_key_is_refused) {
  write("b.key", "7f3a90c4\n", 0600);
  const std::vector<std::string> expected{
      folder_ + "/gw.toml:26: sa.key_file = \"b.key\": " + folder_ +
      "/b.key: must be 40 hexadecimal digits: 20 bytes (RFC 2404 3); has 8 digits"};
  EXPECT_EQ(said(load("b.key").diagnostics()), expected);
}

TEST_F(KeyFile, that_is_a_folder_or_a_device_is_refused) {
  EXPECT_EQ(said(load("/dev/zero").diagnostics()),
            std::vector<std::string>{
                folder_ + "/gw.toml:26: sa.key_file = \"/dev/zero\": /dev/zero: must be a plain file"});
  EXPECT_FALSE(load("."));
}

TEST_F(KeyFile, that_is_huge_is_refused_unread) {
  write("b.key", std::string(1 << 20, '0'), 0600);
  EXPECT_FALSE(load("b.key"));
}

TEST_F(KeyFile, inline_keys_in_a_file_that_others_can_read_get_one_warning) {
  write("gw.toml", std::string(kGood), 0644);
  const auto config = load_config(folder_ + "/gw.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(said(config.diagnostics()),
            std::vector<std::string>{
                folder_ + "/gw.toml:26: warning: sa.key = (hidden): others than the owner have access to "
                          "this file (mode 0644); chmod 600, or key_file"});
}

TEST(KeySecrecy, no_message_shows_a_key_wherever_it_was_written_by_mistake) {
  const std::string digits = kDigits;
  const std::string places[] = {"kee = \"" + digits + "\"",
                                "secret = \"" + digits + "\"",
                                "key_file = \"" + digits + "\"",
                                "key = " + digits,
                                "key = \"" + digits,
                                "key = [\"" + digits + "\"]",
                                "key = 0x" + digits,
                                "authkey = { hex = \"" + digits + "\" }",
                                "key = \"" + digits + "\"\nkey = \"" + digits + "\"",
                                digits + " = 1",
                                "\"" + digits + "\"",
                                "name2 = [\"" + digits + "\"]"};
  for (const std::string& place : places) {
    const Edit edit{"", "key = \"7f3a90c4d1e85b26aa04f7139cde6b825510e4d7\"", place, {}};
    const auto result = parse_config(edited(edit), "gw.toml");
    EXPECT_FALSE(result);
    EXPECT_EQ(to_json(result.diagnostics()).find(digits.substr(0, 8)), std::string::npos)
        << to_json(result.diagnostics());
  }
}

}  // namespace
}  // namespace gate96::test
