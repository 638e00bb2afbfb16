// SPDX-License-Identifier: BSD-3-Clause
// Every file of tools/examples loads, and nothing is said of it but that the keys in it are everybody's.
#include <filesystem>

#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

std::vector<std::string> examples() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(GATE96_EXAMPLES)) {
    if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
  }
  return paths;
}

TEST(Examples, are_there) {
  EXPECT_GE(examples().size(), 4U);
}

TEST(Examples, load_without_a_word) {
  for (const std::string& path : examples()) {
    const auto config = load_config(path);
    EXPECT_TRUE(config) << to_json(config.diagnostics());
    for (const Diagnostic& diagnostic : config.diagnostics()) {
      EXPECT_NE(diagnostic.message.find("others than the owner have access to this file"), std::string::npos)
          << to_string(diagnostic);
    }
  }
}

}  // namespace
}  // namespace gate96::test
