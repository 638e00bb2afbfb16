// SPDX-License-Identifier: BSD-3-Clause
// Every backend at every length and alignment against the others' answers: OpenSSL's where it is, and
// everywhere a digest of digests.
#include <gtest/gtest.h>
#ifdef GATE96_HAVE_OPENSSL
#include <openssl/sha.h>
#endif

#include <cstring>

#include "sha1/portable.h"
#include "tests/sha1/common.h"

namespace gate96::sha1 {
namespace {

constexpr std::size_t kLongest = 1100;
constexpr std::size_t kNumAlignments = 64;

// The pattern at `offset` bytes after a 64-byte boundary.
class Placed {
 public:
  explicit Placed(std::size_t offset) : storage_(kLongest + 2 * kNumAlignments) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    data_ = storage_.data() + (kNumAlignments - address % kNumAlignments) + offset;
    const std::vector<std::uint8_t> bytes = pattern(kLongest);
    std::memcpy(data_, bytes.data(), bytes.size());
  }
  [[nodiscard]] const std::uint8_t* data() const { return data_; }

 private:
  std::vector<std::uint8_t> storage_;
  std::uint8_t* data_;
};

std::vector<Digest> all_digests(BlockFn block, const std::uint8_t* data) {
  std::vector<Digest> digests;
  for (std::size_t len = 0; len <= kLongest; ++len) digests.push_back(digest(block, {data, len}));
  return digests;
}

// python3: h = sha1(); for n in range(1101): h.update(sha1(bytes(7*i + (i >> 8) & 255 for i in
// range(n))).digest())
TEST(Lengths, GenericAgreesWithPython) {
  Hasher hasher(generic);
  for (const Digest& d : all_digests(generic, Placed(0).data())) hasher.update(d);
  EXPECT_EQ(to_hex(hasher.final()), "c25f761f3d0678fb6c4e5165d06b3f41f6729a4b");
}

#ifdef GATE96_HAVE_OPENSSL
TEST(Lengths, GenericAgreesWithOpenSsl) {
  const Placed placed(0);
  const std::vector<Digest> ours = all_digests(generic, placed.data());
  for (std::size_t len = 0; len <= kLongest; ++len) {
    Digest theirs;
    SHA1(placed.data(), len, theirs.data());
    EXPECT_EQ(ours[len], theirs) << len;
  }
}
#endif

TEST(Lengths, SingleStreamsAgreeWithGenericAtEveryAlignment) {
  const std::vector<Digest> expected = all_digests(generic, Placed(0).data());
  for (std::size_t offset = 0; offset < kNumAlignments; ++offset) {
    const Placed placed(offset);
    for (const Backend* backend : single_streams()) {
      const std::vector<Digest> digests = all_digests(backend->block, placed.data());
      for (std::size_t len = 0; len <= kLongest; ++len) {
        ASSERT_EQ(digests[len], expected[len])
            << backend->name << ", length " << len << ", offset " << offset;
      }
    }
  }
}

// Each lane has a state, an alignment and, by its place in the pattern, blocks of its own.
void compare_lanes(const Backend& backend, std::size_t num_blocks, std::size_t offset) {
  std::vector<Placed> data;
  LaneState lanes;
  std::array<State, kMaxLanes> expected{};
  for (std::size_t lane = 0; lane < backend.lanes; ++lane) {
    data.emplace_back((offset + 5 * lane) % kNumAlignments);
    const std::uint8_t* blocks = data.back().data() + lane;
    expected[lane] = {{static_cast<std::uint32_t>(lane), 1, 2, 3, static_cast<std::uint32_t>(offset)}};
    set_lane(lanes, lane, expected[lane], blocks);
    generic(expected[lane].h.data(), blocks, num_blocks);
  }
  backend.lane(&lanes, num_blocks);
  for (std::size_t lane = 0; lane < backend.lanes; ++lane) {
    ASSERT_EQ(lane_state(lanes, lane).h, expected[lane].h)
        << backend.name << ", lane " << lane << ", " << num_blocks << " blocks, offset " << offset;
    ASSERT_EQ(lanes.next[lane], data[lane].data() + lane + num_blocks * kBlockLen);
  }
}

TEST(Lengths, MultiBuffersAgreeWithGenericAtEveryAlignment) {
  for (const Backend* backend : multi_buffers()) {
    for (std::size_t offset = 0; offset < kNumAlignments; ++offset) {
      for (std::size_t num_blocks = 0; num_blocks <= 16; ++num_blocks) {
        ASSERT_NO_FATAL_FAILURE(compare_lanes(*backend, num_blocks, offset));
      }
    }
  }
}

TEST(Lengths, NoBlocksLeaveTheStateAlone) {
  for (const Backend* backend : single_streams()) {
    State state = init();
    backend->block(state.h.data(), nullptr, 0);
    EXPECT_EQ(state.h, init().h) << backend->name;
  }
}

}  // namespace
}  // namespace gate96::sha1
