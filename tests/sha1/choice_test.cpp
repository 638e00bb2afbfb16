// SPDX-License-Identifier: BSD-3-Clause
// Which backend runs: seen by the calls it gets, not by what it says.
#include <gtest/gtest.h>

#include "sha1/portable.h"
#include "tests/sha1/common.h"

namespace gate96::sha1 {
namespace {

std::string g_ran;

template <char letter>
void spy(std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks) {
  g_ran += letter;
  generic(state, blocks, num_blocks);
}

Backend row(std::string_view name, FeatureSet needs, Registers registers, BlockFn block) {
  return {name, 1, needs, registers, block, nullptr, 1};
}

const std::vector<Backend> kRows = {
    row("slow", {}, Registers::kScalar, spy<'s'>),
    row("quick", {Feature::kBmi2}, Registers::kScalar, spy<'q'>),
    row("vector", {Feature::kSsse3}, Registers::kVector, spy<'v'>),
    row("wide", {Feature::kAvx2, Feature::kBmi2}, Registers::kVector, spy<'w'>)};

Cpu cpu_with(FeatureSet features) {
  return {features, features};
}

std::string ran(const Backend* backend) {
  g_ran.clear();
  (void)digest(backend->block, {});
  return g_ran;
}

TEST(Choice, TheLastUsableRowOfAKindRuns) {
  const Selection all(kRows, cpu_with({Feature::kBmi2, Feature::kSsse3, Feature::kAvx2}));
  EXPECT_EQ(ran(all.best_scalar()), "q");
  EXPECT_EQ(ran(all.best_vector()), "w");
  const Selection some(kRows, cpu_with({Feature::kSsse3, Feature::kAvx2}));
  EXPECT_EQ(ran(some.best_scalar()), "s");
  EXPECT_EQ(ran(some.best_vector()), "v");
  const Selection none(kRows, cpu_with({}));
  EXPECT_EQ(ran(none.best_scalar()), "s");
  EXPECT_EQ(none.best_vector(), nullptr);
}

TEST(Choice, ANameRunsThatRow) {
  const Selection all(kRows, cpu_with({Feature::kBmi2, Feature::kSsse3, Feature::kAvx2}));
  EXPECT_EQ(ran(all.find("slow").backend), "s");
  EXPECT_EQ(ran(all.find("vector").backend), "v");
}

TEST(Choice, AForcedBackendThatCannotRunNamesWhatIsMissing) {
  const Selection some(kRows, cpu_with({Feature::kAvx2}));
  const Found found = some.find("wide");
  EXPECT_EQ(found.backend, nullptr);
  EXPECT_FALSE(found.self_test_failed);
  EXPECT_EQ(found.error, "SHA-1 backend wide cannot run here: the CPU lacks bmi2");
}

TEST(Choice, AForcedBackendThatTheSystemForbidsNamesWhatIsNotEnabled) {
  const Cpu cpu{{Feature::kAvx2, Feature::kBmi2}, {Feature::kBmi2}};
  EXPECT_EQ(Selection(kRows, cpu).find("wide").error,
            "SHA-1 backend wide cannot run here: the operating system has not enabled avx2 (XCR0)");
}

TEST(Choice, AnUnknownNameListsTheKnownOnes) {
  const Found found = Selection(kRows, cpu_with({})).find("sha2");
  EXPECT_EQ(found.backend, nullptr);
  EXPECT_EQ(found.error, "no SHA-1 backend is called sha2; there are slow, quick, vector, wide");
}

TEST(Choice, TheTableIsWellFormed) {
  ASSERT_FALSE(backends().empty());
  EXPECT_EQ(backends().front().name, "generic");
  EXPECT_TRUE(backends().front().needs.empty());
  for (const Backend& b : backends()) {
    EXPECT_EQ(b.lanes == 1, b.block != nullptr) << b.name;
    EXPECT_EQ(b.lanes > 1, b.lane != nullptr) << b.name;
    EXPECT_LE(b.lanes, kMaxLanes) << b.name;
    EXPECT_GT(b.code_bytes, 200u) << b.name;
    EXPECT_LT(b.code_bytes, 50000u) << b.name;
  }
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
TEST(Choice, GenericIsSmall) {
  EXPECT_LE(backends().front().code_bytes, 700u);
}
#endif

}  // namespace
}  // namespace gate96::sha1
