// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/selftest.h"

#include <array>
#include <cstring>
#include <vector>

#include "sha1/sha1.h"

namespace gate96::sha1 {
namespace {

constexpr std::size_t kNumMessages = kMaxLanes;
constexpr std::size_t kNumBlocks = 3;  // of every message, padding included
constexpr std::size_t kShortest = 120;

// Message j has 120 + j bytes; byte i is 16 j + i modulo 256. Digests by coreutils' sha1sum.
constexpr std::array<const char*, kNumMessages> kDigests = {
    "d3dbd653bd8597b7475321b60a36891278e6a04a", "a86d22aa4383fc39a89399216e3deb0a85191cda",
    "0f6fc43330cc605ba2ca2544fadf4ab351245988", "09bc36c2f869aee0b14b9b710371fe94a8c2523e",
    "af584e8083b4c87131210fbd53a571cfe3bd544e", "5421b9de04ee9f43904d041262a80c579161a9e9",
    "cdd025dcfdd0f63cc5534fb74bd4f5bd2b22d899", "9f80e2085fd20b07db88af9f9ce600fb261bd5db",
    "87f0c35852e65ad707f37c05fb03dc6e68aa4fbf", "1657bea343132079e61ef4cc866b68127b946fec",
    "98eddeda9c3cd65f9d48d3eaba5387b3d54ebce7", "eb3023464aa38c9e5ea44b6671ae3115ef7c4e82",
    "04f5c298e8726952049263224f9bcd915dbf85e5", "39a799e3a75b943736625cc8300c02f5c6a89867",
    "3c52ca9cbf49fe1018ccf27d459035bd02f6fc19", "d69248694f0c3ddb09c53c086e42c385a1834c10",
    "4ab5a4f084d4d95894078e8d570eb0bff13c6286", "b8a8228dfb6bcd5b641c4db5a315c51ad92f7314",
    "3753805d607cd3eabac43502c803d2ef2d587871", "4eefca60c1db4d365bade8992c2883d909853b3a",
    "acded7dc9953aa32c3ac4d7317be500978dacd06", "30a71aed3a0dbfcd06236018cf65ddfd72c07814",
    "9dacd79e2ed9d129e27470ff934481a8a8806163", "f4921c0ae0afd74d7e20891a9c30bf623a153a35",
    "cc3c69cda9b74569861ebf11bab0f56b338332d4", "85a212e78daa6b0e3ad71f1e716c2838f9c6f120",
    "aac107cdde28b3f44564bb3a74a6d7865768f843", "ff9bc99a4fcd400e4664b506c330f2d50d95cc10",
    "dbda7b38a474c62e4a196682529a53895a0a4407", "d3612a589baa16420638188228ae3c75ef87e5a0",
    "c83310cd1994be4b911bae4b0f9672f565f2c4bb", "8f3d1e4db68b9c0e773047b3dcbd5f5df9c51363",
};

using Padded = std::array<std::uint8_t, kNumBlocks * kBlockLen>;

// FIPS 180-4 5.1.1, on its own, so that the block function is all that is tested.
Padded message(std::size_t j) {
  Padded blocks{};
  const std::size_t len = kShortest + j;
  for (std::size_t i = 0; i < len; ++i) blocks[i] = static_cast<std::uint8_t>(16 * j + i);
  blocks[len] = 0x80;
  blocks[blocks.size() - 2] = static_cast<std::uint8_t>(8 * len >> 8);
  blocks[blocks.size() - 1] = static_cast<std::uint8_t>(8 * len);
  return blocks;
}

bool is_right(const State& state, std::size_t j) {
  static constexpr char kHex[] = "0123456789abcdef";
  const Digest digest = to_digest(state);
  for (std::size_t i = 0; i < digest.size(); ++i) {
    if (kDigests[j][2 * i] != kHex[digest[i] >> 4] || kDigests[j][2 * i + 1] != kHex[digest[i] & 15])
      return false;
  }
  return true;
}

std::string test_block(BlockFn block) {
  for (std::size_t j = 0; j < kNumMessages; ++j) {
    const Padded blocks = message(j);
    State whole = init();
    block(whole.h.data(), blocks.data(), kNumBlocks);
    State parts = init();
    block(parts.h.data(), blocks.data(), 1);
    block(parts.h.data(), blocks.data() + kBlockLen, kNumBlocks - 1);
    if (!is_right(whole, j) || !is_right(parts, j)) return "wrong digest of message " + std::to_string(j);
  }
  return {};
}

constexpr std::uint32_t kUntouched = 0xdeadbeefu;

void put(LaneState& lanes, std::size_t lane, const State& state, const std::uint8_t* next) {
  for (std::size_t word = 0; word < kStateWords; ++word) lanes.h[word][lane] = state.h[word];
  lanes.next[lane] = next;
}

State get(const LaneState& lanes, std::size_t lane) {
  State state{};
  for (std::size_t word = 0; word < kStateWords; ++word) state.h[word] = lanes.h[word][lane];
  return state;
}

std::string test_occupancy(const Backend& backend, const std::vector<Padded>& messages,
                           std::size_t num_live) {
  constexpr State kMark{{kUntouched, kUntouched, kUntouched, kUntouched, kUntouched}};
  LaneState lanes;
  for (std::size_t lane = 0; lane < kMaxLanes; ++lane) put(lanes, lane, kMark, nullptr);
  for (std::size_t lane = 0; lane < backend.lanes; ++lane) {
    put(lanes, lane, init(), messages[lane < num_live ? lane : 0].data());
  }
  backend.lane(&lanes, 1);
  backend.lane(&lanes, kNumBlocks - 1);
  const std::string where = " with " + std::to_string(num_live) + " live";
  for (std::size_t lane = 0; lane < num_live; ++lane) {
    if (!is_right(get(lanes, lane), lane)) return "wrong digest in lane " + std::to_string(lane) + where;
    if (lanes.next[lane] != messages[lane].data() + messages[lane].size()) {
      return "wrong pointer in lane " + std::to_string(lane) + where;
    }
  }
  for (std::size_t lane = backend.lanes; lane < kMaxLanes; ++lane) {
    if (get(lanes, lane).h != kMark.h || lanes.next[lane] != nullptr) {
      return "lane " + std::to_string(lane) + " written";
    }
  }
  return {};
}

std::string test_lanes(const Backend& backend) {
  std::vector<Padded> messages;
  for (std::size_t j = 0; j < kNumMessages; ++j) messages.push_back(message(j));
  for (std::size_t num_live = 1; num_live <= backend.lanes; ++num_live) {
    if (std::string error = test_occupancy(backend, messages, num_live); !error.empty()) return error;
  }
  return {};
}

}  // namespace

std::string self_test(const Backend& backend) {
  return backend.lanes == 1 ? test_block(backend.block) : test_lanes(backend);
}

}  // namespace gate96::sha1
