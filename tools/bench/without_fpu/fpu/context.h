// SPDX-License-Identifier: BSD-3-Clause
// In place of the real fpu/context.h where the bench compiles the packet path without its FPU stage: nothing
// is asked, opened, closed or counted. `counters()` is there for a queue that profile `always` never has.
#pragma once

#include <cstddef>

#include "fpu/components.h"
#include "fpu/counters.h"

namespace gate96::fpu {

struct FpuConfig;

inline namespace without_fpu {  // other names for the linker than the real ones

class Context {
 public:
  static constexpr bool kCompiledOut = true;

  explicit Context(const FpuConfig&, unsigned = 0) {}

  [[nodiscard]] static constexpr bool ask(std::size_t = SIZE_MAX) { return true; }
  [[nodiscard]] static constexpr std::size_t section_bytes() { return SIZE_MAX; }
  [[nodiscard]] static constexpr bool atomic() { return true; }
  void set_backend(Width) {}
  void count_scalar(std::size_t) {}

  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] Counters& counters() { return counters_; }

 private:
  Counters counters_;
};

struct Section {
  explicit Section(Context&) {}
  void count(std::size_t) {}
};

struct Arrival {
  explicit Arrival(Context&) {}
};

struct Drain {
  explicit Drain(Context&) {}
};

}  // namespace without_fpu
}  // namespace gate96::fpu
