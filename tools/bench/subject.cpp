// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>

#include "sha1/select.h"
#include "sha1/sha1.h"

namespace gate96::bench {
namespace {

/// Calls `update` for each piece of `data`.
template <typename Update>
void in_pieces(Bytes data, std::size_t piece, Update&& update) {
  if (piece == 0) piece = data.size();
  for (; !data.empty(); data = data.subspan(std::min(piece, data.size()))) {
    update(data.first(std::min(piece, data.size())));
  }
}

sha1::LaneState lanes_at(const std::uint8_t* data) {
  sha1::LaneState lanes;
  const sha1::State initial = sha1::init();
  for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
    std::fill_n(lanes.h[word], sha1::kMaxLanes, initial.h[word]);
  }
  std::fill_n(lanes.next, sha1::kMaxLanes, data);
  return lanes;
}

/// The state after the whole blocks of `data`, of every lane; throws if lanes differ.
sha1::State absorb(const sha1::Backend& backend, Bytes data) {
  const std::size_t num_blocks = data.size() / sha1::kBlockLen;
  sha1::State state = sha1::init();
  if (backend.lanes == 1) {
    backend.block(state.h.data(), data.data(), num_blocks);
    return state;
  }
  sha1::LaneState lanes = lanes_at(data.data());
  backend.lane(&lanes, num_blocks);
  for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
    state.h[word] = lanes.h[word][0];
    if (std::any_of(lanes.h[word], lanes.h[word] + backend.lanes,
                    [&](auto h) { return h != state.h[word]; })) {
      throw std::runtime_error(fmt::format("{}: lanes differ", backend.name));
    }
  }
  return state;
}

}  // namespace

Backends choose_backends(const std::vector<std::string>& names) {
  const sha1::Selection& selection = sha1::Selection::instance();
  if (names.empty()) return selection.usable();
  Backends chosen;
  for (const std::string& name : names) {
    const sha1::Found found = selection.find(name);
    if (found.backend == nullptr) throw UsageError(found.error);
    chosen.push_back(found.backend);
  }
  return chosen;
}

Backends single_streams(const std::vector<std::string>& names) {
  Backends backends = choose_backends(names);
  if (names.empty()) std::erase_if(backends, [](const sha1::Backend* backend) { return backend->lanes > 1; });
  for (const sha1::Backend* backend : backends) {
    if (backend->lanes > 1)
      throw UsageError(fmt::format("--backends: {} takes several messages", backend->name));
  }
  return backends;
}

std::vector<std::uint8_t> test_bytes(std::size_t len) {
  std::mt19937 random(96);
  std::vector<std::uint8_t> bytes(len);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::uint8_t>(random()); });
  return bytes;
}

void check_backend(const sha1::Backend& backend, Bytes data) {
  const sha1::BlockFn generic = sha1::backends().front().block;
  const Bytes whole = data.first(data.size() / sha1::kBlockLen * sha1::kBlockLen);
  const sha1::Digest right =
      have_openssl() ? openssl_sha1(tier_of(backend)).digest(whole) : sha1::digest(generic, whole);
  if (sha1::Hasher(generic, absorb(backend, whole), whole.size()).final() != right) {
    throw std::runtime_error(fmt::format("{}: a wrong digest", backend.name));
  }
}

Contender message_of(const sha1::Backend& backend, Bytes data, std::size_t update) {
  return {.name = std::string(backend.name),
          .run = [block = backend.block, data, update](std::size_t iterations) {
            for (std::size_t i = 0; i < iterations; ++i) {
              sha1::Hasher hasher(block);
              in_pieces(data, update, [&](Bytes piece) { hasher.update(piece); });
              const sha1::Digest digest = hasher.final();
              asm volatile("" : : "r"(digest.data()) : "memory");
            }
          }};
}

Contender message_of(Tier tier, Bytes data, std::size_t update) {
  const OpensslSha1& openssl = openssl_sha1(tier);
  return {.name = std::string("openssl ") + name(tier),
          .run = [&openssl, data, update](std::size_t iterations) {
            for (std::size_t i = 0; i < iterations; ++i) {
              OpensslContext context;
              sha1::Digest digest;
              openssl.init(context);
              in_pieces(data, update, [&](Bytes piece) { openssl.update(context, piece); });
              openssl.final(context, digest);
            }
          }};
}

Contender blocks_of(const sha1::Backend& backend, Bytes data) {
  const std::size_t num_blocks = data.size() / sha1::kBlockLen;
  if (backend.lanes == 1) {
    return {.name = std::string(backend.name),
            .run = [block = backend.block, data, num_blocks,
                    state = sha1::init()](std::size_t iterations) mutable {
              for (std::size_t i = 0; i < iterations; ++i) block(state.h.data(), data.data(), num_blocks);
            }};
  }
  return {.name = std::string(backend.name),
          .run =
              [lane = backend.lane, data, num_blocks,
               lanes = lanes_at(data.data())](std::size_t iterations) mutable {
                for (std::size_t i = 0; i < iterations; ++i) {
                  std::fill_n(lanes.next, sha1::kMaxLanes, data.data());
                  lane(&lanes, num_blocks);
                }
              },
          .messages = static_cast<double>(backend.lanes)};
}

Contender blocks_of(Tier tier, Bytes data) {
  const OpensslSha1& openssl = openssl_sha1(tier);
  OpensslContext context;
  openssl.init(context);
  return {.name = std::string("openssl ") + name(tier),
          .run = [&openssl, data, context](std::size_t iterations) mutable {
            for (std::size_t i = 0; i < iterations; ++i) openssl.update(context, data);
          }};
}

}  // namespace gate96::bench
