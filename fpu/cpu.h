// SPDX-License-Identifier: BSD-3-Clause
// The modelled CPU and its tasks: all that a kernel's rule can look at. Plain values; the rules in profiles/
// change them and say what is to be moved.
#pragma once

#include <array>
#include <cstdint>

namespace gate96::fpu {

enum class Level : std::uint8_t { kTask, kSoftirq, kHardirq, kNmi };

/// Whose registers the current interrupt saved. Softirqs at interrupt exit inherit it; ksoftirqd, and
/// softirqs run when bottom halves are enabled again, see kNone.
enum class Interrupted : std::uint8_t { kNone, kUser, kKernel };

/// sparc64: one thread's stack of saved halves (the lower and the upper 32 single registers, 128 bytes each).
struct VisState {
  static constexpr unsigned kNumSlots = 7;
  struct Slot {
    bool lower = false;
    bool upper = false;
  };
  unsigned depth =
      0;  // 1 after a trap from user mode, 2 more for each trap from kernel mode; slot = depth / 2
  std::array<Slot, kNumSlots> slots{};
};

struct Task {
  bool kthread = false;
  bool owns = false;       // its state is live in the registers
  bool need_load = false;  // 5.2 and later: restore before the next return to user mode
  int last_cpu = -1;
  bool used_fpu = false;  // has ever used it; eager kernels: from the start
  bool fp_this_slice = false;
  unsigned fp_slices = 0;  // consecutive time slices in which it used FP
  VisState vis{};          // while it is not running
  unsigned id = 0;         // names its register area
};

struct Cpu {
  int id = 0;
  bool eager = true;  // linux-4.8: the boot parameter eagerfpu

  Level level = Level::kTask;
  Interrupted interrupted = Interrupted::kNone;
  bool irqs_off = false;
  unsigned softirq_count = 0;  // serving a softirq, or bottom halves off; nests
  unsigned preempt_count = 0;

  bool in_section = false;
  bool section_irqs_off = false;  // irqs_off at the last begin (6.15)
  unsigned open_sections = 0;  // the observer's own count; no rule looks at it before a violation is judged
  bool ts = true;              // CR0.TS: the next FP instruction traps
  Task* cpu_owner = nullptr;
  Task* task = nullptr;  // the one that runs, never null

  bool dirty_lower = false;  // sparc64: FPRS.DL and FPRS.DU
  bool dirty_upper = false;
  VisState vis{};

  [[nodiscard]] bool in_interrupt() const {
    return level == Level::kHardirq || level == Level::kNmi || softirq_count > 0;
  }
  /// May not sleep: what crypto/simd.c asks before it keeps order. An open section counts, as it has
  /// preemption off.
  [[nodiscard]] bool atomic() const { return in_interrupt() || irqs_off || preempt_count > 0; }
};

}  // namespace gate96::fpu
