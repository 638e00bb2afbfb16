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

/// Lane i stands at block i of `data`.
void rewind(sha1::LaneState& lanes, const std::uint8_t* data) {
  for (std::size_t lane = 0; lane < sha1::kMaxLanes; ++lane) lanes.next[lane] = data + lane * sha1::kBlockLen;
}

sha1::LaneState lanes_at(const std::uint8_t* data) {
  sha1::LaneState lanes;
  const sha1::State initial = sha1::init();
  for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
    std::fill_n(lanes.h[word], sha1::kMaxLanes, initial.h[word]);
  }
  rewind(lanes, data);
  return lanes;
}

/// The state of each lane after `num_blocks` blocks.
std::vector<sha1::State> absorb(const sha1::Backend& backend, const TestBytes& data, std::size_t num_blocks) {
  std::vector<sha1::State> states(backend.lanes, sha1::init());
  if (backend.lanes == 1) {
    backend.block(states[0].h.data(), data.all().data(), num_blocks);
    return states;
  }
  sha1::LaneState lanes = lanes_at(data.all().data());
  backend.lane(&lanes, num_blocks);
  for (std::size_t lane = 0; lane < backend.lanes; ++lane) {
    for (std::size_t word = 0; word < sha1::kStateWords; ++word) states[lane].h[word] = lanes.h[word][lane];
  }
  return states;
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

TestBytes::TestBytes(std::size_t len) : len_(len), lines_(len / sizeof(Line) + 1) {
  std::mt19937 random(96);
  std::generate_n(lines_.data()->bytes, len, [&] { return static_cast<std::uint8_t>(random()); });
}

void check_backend(const sha1::Backend& backend, const TestBytes& data, std::size_t len) {
  const sha1::BlockFn generic = sha1::backends().front().block;
  Bytes message = data.all();
  for (const sha1::State& state : absorb(backend, data, len / sha1::kBlockLen)) {
    const Bytes whole = message.first(len);
    const sha1::Digest right =
        have_openssl() ? openssl_sha1(tier_of(backend)).digest(whole) : sha1::digest(generic, whole);
    if (sha1::Hasher(generic, state, len).final() != right) {
      throw std::runtime_error(fmt::format("{}: a wrong digest", backend.name));
    }
    message = message.subspan(sha1::kBlockLen);
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

Contender blocks_of(const sha1::Backend& backend, const TestBytes& data, std::size_t len) {
  const std::size_t num_blocks = len / sha1::kBlockLen;
  const std::uint8_t* bytes = data.all().data();
  if (backend.lanes == 1) {
    return {.name = std::string(backend.name),
            .run = [block = backend.block, bytes, num_blocks,
                    state = sha1::init()](std::size_t iterations) mutable {
              for (std::size_t i = 0; i < iterations; ++i) block(state.h.data(), bytes, num_blocks);
            }};
  }
  return {
      .name = std::string(backend.name),
      .run =
          [lane = backend.lane, bytes, num_blocks, lanes = lanes_at(bytes)](std::size_t iterations) mutable {
            for (std::size_t i = 0; i < iterations; ++i) {
              rewind(lanes, bytes);
              lane(&lanes, num_blocks);
            }
          },
      .messages = static_cast<double>(backend.lanes)};
}

Contender blocks_of(Tier tier, const TestBytes& data, std::size_t len) {
  const OpensslSha1& openssl = openssl_sha1(tier);
  OpensslContext context;
  openssl.init(context);
  return {.name = std::string("openssl ") + name(tier),
          .run = [&openssl, message = data.first(len), context](std::size_t iterations) mutable {
            for (std::size_t i = 0; i < iterations; ++i) openssl.update(context, message);
          }};
}

}  // namespace gate96::bench
