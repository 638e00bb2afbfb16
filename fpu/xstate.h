// SPDX-License-Identifier: BSD-3-Clause
// The register state of the real CPU: what it has, and areas to SAVE it to. x86-64 only; elsewhere nothing is
// executed and supported_mask() is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fpu/components.h"
#include "fpu/profile.h"

namespace gate96::fpu {

/// Of the components in `mask`, those that CPU and operating system have enabled (CPUID, OSXSAVE, XCR0).
[[nodiscard]] std::uint64_t supported_mask(std::uint64_t mask);

/// The instruction that this CPU has for `wanted`: itself, or plain XSAVE.
[[nodiscard]] SaveBy supported_save(SaveBy wanted);

/// Bytes that an area for `mask` needs in the format of `by`: CPUID.0Dh gives each component's place and
/// length.
[[nodiscard]] std::size_t area_len(std::uint64_t mask, SaveBy by);

/// Where one task's state is kept. The caller's registers are what is saved and restored: to the compiler
/// both calls clobber them, as any call may. MXCSR and the x87 control word are in the state, too.
class StateArea {
 public:
  /// `by` must be supported; one area keeps to one instruction, as their formats differ.
  StateArea(std::uint64_t mask, SaveBy by);

  void save();
  /// Precondition: saved before.
  void restore();

  [[nodiscard]] const std::uint8_t* data() const { return area_.get(); }
  [[nodiscard]] std::size_t len() const { return len_; }

 private:
  struct Free {
    void operator()(std::uint8_t* area) const;
  };

  std::uint64_t mask_;
  SaveBy by_;
  std::size_t len_;
  std::unique_ptr<std::uint8_t, Free> area_;
};

/// Makes every component of `width` look used; upper halves stay dirty until clean_upper(). What the CPU
/// lacks is left out.
void touch_state(Width width);

/// Zeroes the upper halves, where the CPU has them.
void clean_upper();

/// sparc64's halves.
void save_half(std::uint8_t* half, bool upper);
void restore_half(const std::uint8_t* half, bool upper);

}  // namespace gate96::fpu
