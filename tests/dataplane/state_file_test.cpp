// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/state_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "dataplane/sa.h"
#include "tests/dataplane/sa_samples.h"
#include "tests/dataplane/temporary_folder.h"

namespace gate96 {
namespace {

State sample_state() {
  State state;
  state.stopped = true;
  state.records["out 0x00001001 192.0.2.2 - 0011223344556677"] = {0xffff'ffff'ffff'fffe, {}};
  state.records["in 0x00001002 2001:db8::1 - 8899aabbccddeeff"] = {77, {0, ~std::uint64_t{0}, 0x123}};
  return state;
}

bool same(const State& a, const State& b) {
  return a.stopped == b.stopped && std::ranges::equal(a.records, b.records, [](const auto& x, const auto& y) {
           return x.first == y.first && x.second.number == y.second.number &&
                  x.second.words == y.second.words;
         });
}

TEST(StateFile, ComesBackAsItWas) {
  for (const bool stopped : {true, false}) {
    State state = sample_state();
    state.stopped = stopped;
    State found;
    EXPECT_EQ(decode(encode(state), found), "");
    EXPECT_TRUE(same(state, found));
  }
}

TEST(StateFile, AnyChangedByteIsSeen) {
  const std::string good = encode(sample_state());
  State state;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    EXPECT_NE(decode(bad, state), "") << i;
  }
}

TEST(StateFile, AnyCutIsSeen) {
  const std::string good = encode(sample_state());
  State state;
  for (std::size_t len = 0; len < good.size(); ++len)
    EXPECT_NE(decode(good.substr(0, len), state), "") << len;
}

TEST(StateFile, ALaterVersionIsNamedAsSuch) {
  State state;
  EXPECT_NE(decode("gate96 state 2 running\n", state).find("version"), std::string::npos);
}

TEST(StateFile, IsReplacedAndItsOwnersOnly) {
  const TemporaryFolder folder;
  const std::string path = folder.path("state");
  ASSERT_EQ(save(path, {}), "");
  ASSERT_EQ(save(path, sample_state()), "");
  State found;
  std::string why;
  EXPECT_EQ(load(path, found, why), Loaded::kGood) << why;
  EXPECT_TRUE(same(found, sample_state()));
  struct stat info {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST(StateFile, MissingAndDamagedAreToldApart) {
  const TemporaryFolder folder;
  State state;
  std::string why;
  EXPECT_EQ(load(folder.path("none"), state, why), Loaded::kMissing);
  std::ofstream(folder.path("empty")).flush();
  EXPECT_EQ(load(folder.path("empty"), state, why), Loaded::kDamaged);
}

TEST(StateFile, SaysWhyItCannotBeWritten) {
  EXPECT_NE(save("/nonesuch/state", {}).find("/nonesuch/state"), std::string::npos);
  EXPECT_NE(save("/nonesuch/state", {}).find("No such file"), std::string::npos);
}

TEST(StateFile, AnSaIsKnownByDirectionSpiDestinationAndKey) {
  const SaConfig base = sample_sa(Direction::kOut);
  const std::string identity = state_identity(Sa(base));
  SaConfig other = base;
  other.name = "renamed";
  other.src = *IpAddress::parse("192.0.2.77");
  EXPECT_EQ(state_identity(Sa(other)), identity);
  other = base;
  other.direction = Direction::kIn;
  EXPECT_NE(state_identity(Sa(other)), identity);
  other = base;
  other.spi += 1;
  EXPECT_NE(state_identity(Sa(other)), identity);
  other = base;
  other.dst = *IpAddress::parse("192.0.2.3");
  EXPECT_NE(state_identity(Sa(other)), identity);
  other = base;
  other.key = sample_sa(Direction::kOut, 0x1002).key;
  EXPECT_NE(state_identity(Sa(other)), identity);
}

}  // namespace
}  // namespace gate96
