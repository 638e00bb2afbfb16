// SPDX-License-Identifier: BSD-3-Clause
// gateway.state_file: what must outlive the process so that no sequence number is used or accepted twice.
// Text, one SA a line, after a line with the version and before one with the SHA-1 of all above it:
//
//   gate96 state 1 running|stopped
//   out SPI DST SRC KEY NUMBER            no number above NUMBER has been sent
//   in SPI DST SRC KEY NUMBER [WORDS...]  none above NUMBER has been accepted; the window's bitmap, if known
//   sha1 DIGEST
//
// KEY is a fingerprint, HMAC-SHA1 of a fixed text cut to 8 bytes: the key cannot be had from it. SRC is "-"
// but for multicast, where the source is part of an SA's identity. SAs that are no longer configured keep
// their line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gate96 {

struct Sa;

struct StateRecord {
  std::uint64_t number = 0;
  std::vector<std::uint64_t> words;  // ReplayWindow::words() at a clean stop; else empty
};

struct State {
  bool stopped = false;                        // by a clean stop: every number is exact
  std::map<std::string, StateRecord> records;  // by state_identity()
};

/// "out SPI DST SRC KEY": what an SA's record is found by.
[[nodiscard]] std::string state_identity(const Sa& sa);

[[nodiscard]] std::string encode(const State& state);

/// Empty, and `state` written, if the text is whole and of a version that we know; else what is wrong with
/// it.
[[nodiscard]] std::string decode(std::string_view text, State& state);

/// Replaces the file: written beside it, synced, renamed over it, and the folder synced. Once this returns
/// empty the new state survives a crash and a power failure; otherwise (the reason is returned) the old one
/// does.
[[nodiscard]] std::string save(const std::string& path, const State& state);

enum class Loaded { kGood, kMissing, kDamaged };

/// `why` says what is wrong when the result is not kGood.
[[nodiscard]] Loaded load(const std::string& path, State& state, std::string& why);

}  // namespace gate96
