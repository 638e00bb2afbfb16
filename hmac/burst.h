// SPDX-License-Identifier: BSD-3-Clause
// The burst engine: HMAC-SHA1-96 (RFC 2404) over many messages, each with its own key and length, at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "fpu/context.h"
#include "hmac/choice.h"
#include "hmac/key.h"
#include "hmac/telemetry.h"

namespace gate96::hmac {

inline constexpr std::size_t kIcvLen = 12;     // HMAC-SHA1-96: the leftmost 96 bits (RFC 2404 3)
inline constexpr std::size_t kMaxBurst = 256;  // jobs in one run

/// A piece of a message that is not in one place.
struct Segment {
  const std::uint8_t* data;
  std::uint32_t len;
};

/// One message to authenticate. The caller owns key, data and segments until run() has returned kDone.
struct Job {
  const Key* key = nullptr;
  const std::uint8_t* data = nullptr;  // the message, or its first piece
  std::uint32_t len = 0;               // bytes at data
  std::uint32_t esn_high = 0;          // hashed after the message, big-endian, if has_esn (RFC 4303 2.2.1)
  bool has_esn = false;
  std::uint16_t num_more = 0;  // further pieces, in order
  const Segment* more = nullptr;
  std::array<std::uint8_t, kIcvLen> icv{};  // out
};

enum class Outcome {
  kDone,     // every icv is written
  kBudget,   // the byte budget is used up; call run() again, with any backend
  kRefused,  // the FPU context said no; nothing was begun or the state is as it was
};

/// Runs up to kMaxBurst jobs at a time. One per worker; allocates only in its constructor; wipes what it kept
/// of keys and states when a run is done. Resumable: run() keeps the lanes' state in memory between calls.
class Burst {
 public:
  /// With BackendChoice::automatic().
  Burst();
  explicit Burst(const BackendChoice& choice);
  ~Burst();
  Burst(const Burst&) = delete;
  Burst& operator=(const Burst&) = delete;

  /// Takes up `jobs` (at most kMaxBurst; any lengths, zero included). The run before must be done.
  void start(std::span<Job> jobs);

  /// Asks `fpu` for leave, opens a section, and computes on the backends that suit number and lengths, until
  /// all is done or `budget_bytes` have been hashed over all lanes, to one block a lane; blocks of padding
  /// and of outer hashes count. A section ends after fpu.section_bytes() and the next one is asked for anew.
  /// If leave is refused it returns kRefused, with what earlier sections did kept.
  [[nodiscard]] Outcome run(fpu::Context& fpu, std::size_t budget_bytes = SIZE_MAX);

  /// The same with scalar code, which needs no leave. May go on with what run() began.
  [[nodiscard]] Outcome run_scalar(std::size_t budget_bytes = SIZE_MAX);

  /// Lets go of jobs that are not done, with their states wiped: after kRefused, say.
  void cancel();

  [[nodiscard]] const BackendChoice& choice() const;

  /// Since construction. May be read from another thread.
  [[nodiscard]] const Telemetry& telemetry() const;

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace gate96::hmac
