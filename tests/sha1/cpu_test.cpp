// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/cpu.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "sha1/select.h"
#include "tests/sha1/machines.h"

namespace gate96::sha1 {
namespace {

class EveryMachine : public testing::TestWithParam<Machine> {};

std::string name_of(const Backend* backend) {
  return backend == nullptr ? "" : std::string(backend->name);
}

TEST_P(EveryMachine, GetsWhatItCanRun) {
  const Machine& m = GetParam();
  const Selection selection(backends(), detect(table_of(m)));
#if defined(__x86_64__)
  EXPECT_EQ(name_of(selection.best_scalar()), m.scalar);
  EXPECT_EQ(name_of(selection.best_vector()), m.vector);
  std::vector<std::string> lanes;
  for (const Backend* b : selection.with_lanes()) lanes.emplace_back(b->name);
  EXPECT_EQ(lanes, m.lanes);
#else
  EXPECT_EQ(name_of(selection.best_scalar()), m.max_leaf == 0 ? "unrolled" : "i486");
  EXPECT_EQ(selection.best_vector(), nullptr);
#endif
}

TEST_P(EveryMachine, NothingUsableIsAbsent) {
  const Cpu cpu = detect(table_of(GetParam()));
  EXPECT_TRUE(cpu.present.has_all(cpu.usable));
}

INSTANTIATE_TEST_SUITE_P(Cpu, EveryMachine, testing::ValuesIn(machines()), [](const auto& info) {
  std::string id;
  for (char c : info.param.name) id += isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return id;
});

// What the kernel tells of this machine. It leaves out what it has not enabled in XCR0.
TEST(Cpu, AgreesWithTheKernel) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; flags.empty() && std::getline(cpuinfo, line);) {
    if (line.rfind("flags", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) flags.insert(word);
  }
  ASSERT_FALSE(flags.empty());
  const Cpu cpu = detect(read_cpu());
  for (unsigned i = 0; i < static_cast<unsigned>(Feature::kCount); ++i) {
    const auto feature = static_cast<Feature>(i);
    if (feature == Feature::kBswap) continue;  // has no flag
    EXPECT_EQ(cpu.usable.has(feature), flags.count(std::string(name(feature))) == 1) << name(feature);
  }
}

TEST(Cpu, SetsAreNamedInOrder) {
  EXPECT_EQ(to_string({}), "");
  EXPECT_EQ(to_string({Feature::kAvx2, Feature::kSsse3, Feature::kBswap}), "bswap ssse3 avx2");
}

TEST(Cpu, SetsSubtract) {
  const FeatureSet both{Feature::kAvx, Feature::kBmi2};
  EXPECT_EQ(both.without({Feature::kAvx}), FeatureSet{Feature::kBmi2});
  EXPECT_FALSE(FeatureSet{Feature::kAvx}.has_all(both));
  EXPECT_TRUE(both.has_all({Feature::kAvx}));
}

}  // namespace
}  // namespace gate96::sha1
