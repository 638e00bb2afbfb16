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
std::vector<std::uint8_t> test_bytes(std::size_t len);

/// Throws std::runtime_error unless `backend` (any number of lanes) digests `data` as OpenSSL's tier does, or
/// as `generic` in a build without OpenSSL.
void check_backend(const sha1::Backend& backend, Bytes data);

/// A whole message by a single-stream backend, `update` bytes a call (0: at once). `data` outlives the
/// contender.
Contender message_of(const sha1::Backend& backend, Bytes data, std::size_t update = 0);
Contender message_of(Tier tier, Bytes data, std::size_t update = 0);

/// Whole blocks into a running state: no init, no padding. Every lane gets `data`, so that one iteration is
/// `lanes` messages.
Contender blocks_of(const sha1::Backend& backend, Bytes data);
Contender blocks_of(Tier tier, Bytes data);

}  // namespace gate96::bench
