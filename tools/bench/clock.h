// SPDX-License-Identifier: BSD-3-Clause
// Time and core cycles. RDTSC counts at a fixed rate, the core does not: ns come from the first, cycles per
// byte from perf_event, or from a chain of dependent rotates timed beside each sample.
#pragma once

#include <x86intrin.h>

#include <cstdint>
#include <string>

namespace gate96::bench {

/// Reads the time stamp counter after all earlier instructions have finished and before later ones begin.
inline std::uint64_t read_tsc() {
  asm volatile("lfence" : : : "memory");
  const std::uint64_t ticks = __rdtsc();
  asm volatile("lfence" : : : "memory");
  return ticks;
}

/// Core cycles that one rol chain takes: one a step. (A chain of `add` would be folded at rename on newer
/// cores.)
inline constexpr std::uint32_t kRolSteps = 8192;

/// TSC ticks of one chain, the cost of reading the counter taken off. The no-op loop that shows an
/// undisturbed core.
std::uint64_t time_rol_chain();

/// TSC ticks that an empty timed part takes.
std::uint64_t read_tsc_cost();

/// Ticks a second, measured once against CLOCK_MONOTONIC_RAW (20 ms).
double tsc_hz();

/// Binds this thread to `cpu`; -1 takes the highest allowed one. Returns the CPU. Throws std::system_error.
int pin_to_cpu(int cpu);

/// The processor's own name, from CPUID.
std::string cpu_name();

/// The hardware's cycle counter in user space, where the kernel offers it.
class PerfCycles {
 public:
  PerfCycles();
  ~PerfCycles();
  PerfCycles(const PerfCycles&) = delete;
  PerfCycles& operator=(const PerfCycles&) = delete;

  [[nodiscard]] bool usable() const { return fd_ >= 0; }
  /// User-space core cycles of this thread so far. Only if usable().
  [[nodiscard]] std::uint64_t read() const;
  /// "perf_event" or "rol chain", for the output.
  [[nodiscard]] const char* source() const { return usable() ? "perf_event" : "rol chain"; }

 private:
  int fd_ = -1;
};

}  // namespace gate96::bench
