// SPDX-License-Identifier: BSD-3-Clause
// The modelled CPU under one profile: events in, effects out. Whoever calls decides what happens to the
// effects.
#pragma once

#include <array>
#include <cstddef>

#include "fpu/cpu.h"
#include "fpu/profile.h"

namespace gate96::fpu {

/// Takes the effects of events as they happen.
class EffectSink {
 public:
  virtual void save(const Task& task, std::uint8_t moves) = 0;
  virtual void restore(const Task& task, std::uint8_t moves) = 0;
  virtual void violation(Violation violation) = 0;

 protected:
  ~EffectSink() = default;
};

/// Events must nest as on a real CPU: an exit closes the latest entry. A broken order aborts, as it is our
/// own fault.
class Machine {
 public:
  /// Starts on `idle`, a kthread that owns nothing. Both references outlive the machine.
  Machine(const Profile& profile, Task& idle, EffectSink& sink, bool eager = true, int cpu_id = 0);

  [[nodiscard]] const Profile& profile() const { return profile_; }
  [[nodiscard]] const Cpu& cpu() const { return cpu_; }

  void start_task(Task& task) { profile_.start_task(cpu_, task); }

  // Sections.
  [[nodiscard]] Refusal usable() const { return profile_.usable(cpu_); }
  void begin(Halves halves = Halves::kBoth);
  void end(Halves halves = Halves::kBoth);

  // Interrupts. `from` is what was interrupted, kUser or kKernel; interrupts are off until the exit.
  void interrupt_entry(Interrupted from) { enter(Level::kHardirq, from); }
  void nmi_entry(Interrupted from) { enter(Level::kNmi, from); }
  void interrupt_exit();

  /// Softirqs run at the exit of an interrupt, from ksoftirqd, or when bottom halves come on again; with
  /// interrupts on. Precondition: softirq_can_run().
  void softirq_entry();
  void softirq_exit();
  [[nodiscard]] bool softirq_can_run() const { return cpu_.softirq_count == 0; }

  void bottom_halves_off() { ++cpu_.softirq_count; }
  void bottom_halves_on();
  void irqs_off() { cpu_.irqs_off = true; }
  void irqs_on() { cpu_.irqs_off = false; }

  // The running task. It is in the kernel, or (a user task) in user mode.
  void system_call();
  void return_to_user();
  void user_fp();
  void switch_to(Task& next);

 private:
  struct Frame {
    Level level;
    Interrupted interrupted;
    bool irqs_off;
    bool trapped;  // an interrupt, not a softirq
    Interrupted from;
  };

  void enter(Level level, Interrupted from);
  void push(bool trapped, Interrupted from);
  Frame pop(bool trapped);
  void apply(const Effect& effect, const Task& task);

  const Profile& profile_;
  EffectSink& sink_;
  Cpu cpu_;
  std::array<Frame, 16> frames_{};
  std::size_t num_frames_ = 0;
};

}  // namespace gate96::fpu
