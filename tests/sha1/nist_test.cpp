// SPDX-License-Identifier: BSD-3-Clause
// NIST CAVP response files: SHA1ShortMsg and SHA1Monte (SHAVS 6.4).
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "tests/sha1/common.h"

namespace gate96::sha1 {
namespace {

using Record = std::map<std::string, std::string>;

// The "key = value" paragraphs of a file, comments and section heads left out.
std::vector<Record> read_records(const std::string& name) {
  std::ifstream file(std::string(GATE96_VECTORS) + "/" + name);
  std::vector<Record> records(1);
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    const std::size_t at = line.find(" = ");
    if (line.empty() && !records.back().empty()) records.emplace_back();
    if (at != std::string::npos && line[0] != '[') records.back()[line.substr(0, at)] = line.substr(at + 3);
  }
  if (records.back().empty()) records.pop_back();
  return records;
}

TEST(Nist, ShortMessages) {
  const std::vector<Record> records = read_records("SHA1ShortMsg.rsp");
  ASSERT_EQ(records.size(), 65u);  // 0 to 64 bytes
  for (const Backend* backend : single_streams()) {
    for (const Record& r : records) {
      std::vector<std::uint8_t> message = from_hex(r.at("Msg"));
      message.resize(std::stoul(r.at("Len")) / 8);
      EXPECT_EQ(to_hex(digest(backend->block, message)), r.at("MD"))
          << backend->name << ", Len " << r.at("Len");
    }
  }
}

// SHAVS 6.4: each of 100 checkpoints is the end of 1,000 digests, each of the three before it.
void run_monte_carlo(const Backend& backend, const std::vector<Record>& records) {
  std::vector<std::uint8_t> seed = from_hex(records[0].at("Seed"));
  for (std::size_t i = 1; i < records.size(); ++i) {
    std::vector<std::uint8_t> message;
    for (int copy = 0; copy < 3; ++copy) message.insert(message.end(), seed.begin(), seed.end());
    Digest md{};
    for (int j = 0; j < 1000; ++j) {
      md = digest(backend.block, message);
      message.erase(message.begin(), message.begin() + kDigestLen);
      message.insert(message.end(), md.begin(), md.end());
    }
    ASSERT_EQ(to_hex(md), records[i].at("MD")) << backend.name << ", COUNT " << records[i].at("COUNT");
    seed.assign(md.begin(), md.end());
  }
}

TEST(Nist, MonteCarlo) {
  const std::vector<Record> records = read_records("SHA1Monte.rsp");
  ASSERT_EQ(records.size(), 101u);  // the seed and 100 checkpoints
  for (const Backend* backend : single_streams()) run_monte_carlo(*backend, records);
}

}  // namespace
}  // namespace gate96::sha1
