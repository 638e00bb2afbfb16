// SPDX-License-Identifier: BSD-3-Clause
// Our backends and OpenSSL's tiers as contenders that hash the same bytes, checked against each other first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sha1/backends.h"
#include "tools/bench/measure.h"
#include "tools/bench/openssl_sha1.h"
#include "tools/bench/session.h"

namespace gate96::bench {

using Bytes = std::span<const std::uint8_t>;
using Backends = std::vector<const sha1::Backend*>;

/// The rows of the backend table of these names, or all usable ones if there are none. Throws UsageError for
/// a name that is unknown or may not run here.
Backends choose_backends(const std::vector<std::string>& names);

/// The same, but rows with one lane only: they take one message.
Backends single_streams(const std::vector<std::string>& names);

/// `len` bytes that are the same in every run and compress badly.
/// They begin on a cache line, so that runs do not differ by luck.
class TestBytes {
 public:
  explicit TestBytes(std::size_t len);
  [[nodiscard]] Bytes first(std::size_t len) const { return all().first(len); }
  [[nodiscard]] Bytes all() const { return {lines_.data()->bytes, len_}; }

 private:
  struct alignas(64) Line {
    std::uint8_t bytes[64];
  };
  std::size_t len_;
  std::vector<Line> lines_;
};

/// The bytes that blocks_of() and check_backend() want beyond the blocks of a lane: lanes begin a block
/// apart.
inline constexpr std::size_t kLanesExtra = sha1::kMaxLanes * sha1::kBlockLen;

/// Throws std::runtime_error unless every lane of `backend` digests `len` bytes (whole blocks) as OpenSSL's
/// tier does, or as `generic` in a build without OpenSSL. `data` has kLanesExtra bytes more.
void check_backend(const sha1::Backend& backend, const TestBytes& data, std::size_t len);

/// A whole message by a single-stream backend, `update` bytes a call (0: at once). `data` outlives the
/// contender.
Contender message_of(const sha1::Backend& backend, Bytes data, std::size_t update = 0);
Contender message_of(Tier tier, Bytes data, std::size_t update = 0);

/// `len` bytes of whole blocks into a running state: no init, no padding. One iteration of a backend with L
/// lanes is L messages, which begin a block apart: they share L1 lines over time, but never at one time.
/// `data` has kLanesExtra bytes more.
Contender blocks_of(const sha1::Backend& backend, const TestBytes& data, std::size_t len);
Contender blocks_of(Tier tier, const TestBytes& data, std::size_t len);

}  // namespace gate96::bench
