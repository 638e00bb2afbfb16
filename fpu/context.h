// SPDX-License-Identifier: BSD-3-Clause
// What a worker tells the crypto layer about vector registers: may I, I begin, I end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gate96::fpu {

/// One worker's view of its CPU under a kernel's FPU policy. Not thread safe: one worker, one context.
/// Profile `always`: every ask is granted and a section costs nothing.
class Context {
 public:
  /// True if vector registers may be used now. A yes holds until the section that follows has ended.
  [[nodiscard]] bool ask() { return true; }

  /// Bytes after which a section must be closed; SIZE_MAX means no limit.
  [[nodiscard]] std::size_t section_bytes() const { return SIZE_MAX; }

  void begin() {}
  /// `num_bytes`: message bytes hashed since begin().
  void end(std::size_t num_bytes) { (void)num_bytes; }
};

/// A section of vector code: begin() on construction, end() on destruction.
class Section {
 public:
  explicit Section(Context& context) : context_(context) { context_.begin(); }
  ~Section() { context_.end(num_bytes_); }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  void count(std::size_t num_bytes) { num_bytes_ += num_bytes; }

 private:
  Context& context_;
  std::size_t num_bytes_ = 0;
};

}  // namespace gate96::fpu
