// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/machine.h"

#include <cstdio>
#include <cstdlib>

namespace gate96::fpu {
namespace {

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "gate96: fpu model: %s\n", what);
  std::abort();
}

}  // namespace

Machine::Machine(const Profile& profile, Task& idle, EffectSink& sink, bool eager, int cpu_id)
    : profile_(profile), sink_(sink) {
  idle.kthread = true;
  cpu_.eager = eager;
  cpu_.id = cpu_id;
  cpu_.task = &idle;
}

void Machine::apply(const Effect& effect, const Task& task) {
  if (effect.save != kMoveNothing) sink_.save(task, effect.save);
  if (effect.restore != kMoveNothing) sink_.restore(task, effect.restore);
  if (effect.violation != Violation::kNone) sink_.violation(effect.violation);
}

void Machine::begin(Halves halves) {
  const bool granted = usable() == Refusal::kGranted;
  const Effect effect = profile_.begin(cpu_, halves);
  ++cpu_.open_sections;
  apply(effect, *cpu_.task);
  if (!granted && effect.violation == Violation::kNone) sink_.violation(Violation::kNotGranted);
}

void Machine::end(Halves halves) {
  if (cpu_.open_sections == 0) {
    sink_.violation(Violation::kEndWithoutBegin);
    return;
  }
  const Effect effect = profile_.end(cpu_, halves);
  --cpu_.open_sections;
  apply(effect, *cpu_.task);
}

void Machine::push(bool trapped, Interrupted from) {
  must(num_frames_ < frames_.size(), "interrupts nest too deep");
  frames_[num_frames_++] = {cpu_.level, cpu_.interrupted, cpu_.irqs_off, trapped, from};
}

Machine::Frame Machine::pop(bool trapped) {
  must(num_frames_ > 0 && frames_[num_frames_ - 1].trapped == trapped,
       "an exit that does not match the last entry");
  const Frame& frame = frames_[--num_frames_];
  cpu_.level = frame.level;
  cpu_.interrupted = frame.interrupted;
  cpu_.irqs_off = frame.irqs_off;
  return frame;
}

void Machine::enter(Level level, Interrupted from) {
  push(true, from);
  cpu_.level = level;
  cpu_.interrupted = from;
  cpu_.irqs_off = true;
  apply(profile_.trap(cpu_, from), *cpu_.task);
}

/// The way back to user mode is an event of its own: the scheduler may run in between.
void Machine::interrupt_exit() {
  const Frame frame = pop(true);
  if (frame.from == Interrupted::kKernel) apply(profile_.return_to_kernel(cpu_), *cpu_.task);
}

void Machine::softirq_entry() {
  must(softirq_can_run(), "a softirq while bottom halves are off");
  push(false, cpu_.interrupted);
  cpu_.level = Level::kSoftirq;
  cpu_.irqs_off = false;
  ++cpu_.softirq_count;
}

void Machine::softirq_exit() {
  --cpu_.softirq_count;
  pop(false);
}

void Machine::bottom_halves_on() {
  must(cpu_.softirq_count > 0, "bottom halves are on already");
  --cpu_.softirq_count;
}

void Machine::system_call() {
  apply(profile_.trap(cpu_, Interrupted::kUser), *cpu_.task);
}

void Machine::return_to_user() {
  must(num_frames_ == 0 && !cpu_.task->kthread, "only a user task in task context returns to user mode");
  apply(profile_.return_to_user(cpu_), *cpu_.task);
}

void Machine::user_fp() {
  must(num_frames_ == 0 && !cpu_.task->kthread, "only a user task executes user FP instructions");
  apply(profile_.user_fp(cpu_), *cpu_.task);
}

void Machine::switch_to(Task& next) {
  must(num_frames_ == 0, "a context switch inside an interrupt");
  if (&next == cpu_.task) return;
  if (cpu_.open_sections > 0) sink_.violation(Violation::kSwitchInSection);
  Task& previous = *cpu_.task;
  apply(profile_.switch_out(cpu_), previous);
  cpu_.task = &next;
  apply(profile_.switch_in(cpu_), next);
}

}  // namespace gate96::fpu
