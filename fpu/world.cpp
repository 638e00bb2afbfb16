// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/world.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "fpu/clock.h"

namespace gate96::fpu {
namespace {

/// A worker that slept has not seen the switches of that time; so many are made up for at most.
constexpr std::uint64_t kMaxSwitchesAtOnce = 4;

const Profile& profile_of(const FpuConfig& config) {
  if (const std::string fault = check(config); !fault.empty()) {
    std::fprintf(stderr, "gate96: fpu settings that were not checked: %s\n", fault.c_str());
    std::abort();
  }
  return *find_profile(config.profile);
}

}  // namespace

World::World(const FpuConfig& config, unsigned worker, Counters& counters)
    : counters_(counters),
      registers_(config, workload_of(config).components, profile_of(config).save_by, kNumUsers + kNumKthreads,
                 counters),
      machine_(profile_of(config), idle_, registers_, config.eager, static_cast<int>(worker)),
      stream_(workload_of(config), config.seed, worker),
      off_random_(~config.seed + worker),
      off_rate_(config.simd_off_rate),
      switches_per_ns_(workload_of(config).switches_per_second * 1e-9),
      section_ns_(config.section_ns) {
  for (Task* kthread : {&idle_, &ksoftirqd_, &kworker_}) kthread->kthread = true;
  unsigned id = 0;
  for (Task& task : users_) task.id = id++;
  for (Task* kthread : {&idle_, &ksoftirqd_, &kworker_}) kthread->id = id++;
  for (Task& task : users_) machine_.start_task(task);
  (void)ns_per_tick();  // measured before the first packet, not at it
}

void World::switch_to(Task& task) {
  if (machine_.cpu().task == &task) return;
  machine_.switch_to(task);
  counters_.switches.add(1);
}

/// Switches between user tasks that the clock says are due. They take turns, so the clock shifts no random
/// number.
void World::switch_if_due(std::uint64_t now_ns) {
  if (switched_at_ns_ == 0 || now_ns < switched_at_ns_) switched_at_ns_ = now_ns;
  const double due = static_cast<double>(now_ns - switched_at_ns_) * switches_per_ns_;
  if (due < 1) return;
  switched_at_ns_ = now_ns;
  const auto num = due < kMaxSwitchesAtOnce ? static_cast<std::uint64_t>(due) : kMaxSwitchesAtOnce;
  for (std::uint64_t i = 0; i < num; ++i) {
    user_ = (user_ + 1) % kNumUsers;
    if (!machine_.cpu().task->kthread) switch_to(user());
  }
}

void World::run_user(bool live) {
  switch_to(user());
  machine_.return_to_user();
  if (live) machine_.user_fp();
}

void World::interrupt(Interrupted from) {
  machine_.interrupt_entry(from);
  interrupted_ = true;
}

/// A user task is inside the kernel, perhaps in a vector section of its own. Where such a section holds
/// softirqs off, the interrupt only marks the softirq pending, and it runs when the section has ended.
void World::interrupt_kernel() {
  machine_.system_call();
  if (draw_.in_section && machine_.usable() == Refusal::kGranted) {
    machine_.begin();
    foreign_section_ = true;
    counters_.foreign_sections.add(1);
  }
  interrupt(Interrupted::kKernel);
  if (machine_.softirq_can_run()) return;
  machine_.interrupt_exit();
  interrupted_ = false;
  wait_for_section();
  machine_.end();
  foreign_section_ = false;
}

void World::wait_for_section() {
  const double left_ns = draw_.section_left * section_ns_;
  const std::uint64_t start = ticks();
  const auto span = static_cast<std::uint64_t>(left_ns / ns_per_tick());
  while (ticks() - start < span) _mm_pause();
  counters_.waited.add(1);
  counters_.waited_ns.add(static_cast<std::uint64_t>(left_ns));
}

void World::arrive(std::uint64_t now_ns) {
  if (arrived_) depart();
  arrived_ = true;
  counters_.arrivals.add(1);
  draw_ = stream_.next();
  switch_if_due(now_ns);
  switch (draw_.kind) {
    case ArrivalKind::kTask:
      run_user(draw_.live);
      machine_.system_call();
      return;
    case ArrivalKind::kKsoftirqd:
      switch_to(ksoftirqd_);
      break;
    case ArrivalKind::kUser:
      run_user(draw_.live);
      interrupt(Interrupted::kUser);
      break;
    case ArrivalKind::kIdle:
      switch_to(idle_);
      interrupt(Interrupted::kKernel);
      break;
    case ArrivalKind::kKernel:
      run_user(draw_.live);
      interrupt_kernel();
      break;
  }
  machine_.softirq_entry();
}

void World::depart() {
  if (!arrived_) return;
  arrived_ = false;
  if (draw_.kind != ArrivalKind::kTask) machine_.softirq_exit();
  if (interrupted_) machine_.interrupt_exit();
  interrupted_ = false;
  if (foreign_section_) machine_.end();
  foreign_section_ = false;
}

void World::drain_begin() {
  depart();
  drained_ = machine_.cpu().task;
  switch_to(kworker_);
}

void World::drain_end() {
  if (drained_ != nullptr) switch_to(*drained_);
  drained_ = nullptr;
}

void World::set_backend(Width width, Halves halves) {
  registers_.set_backend(width);
  halves_ = halves;
}

/// Preemption is off from before the SAVE until after the RESTORE.
void World::section_begins() {
  section_start_ = ticks();
  machine_.begin(halves_);
}

void World::section_ends() {
  machine_.end(halves_);
  counters_.section_ns_max.raise_to(ns_of(ticks() - section_start_));
}

}  // namespace gate96::fpu
