// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/context.h"

#include "fpu/clock.h"
#include "fpu/settings.h"
#include "fpu/world.h"

namespace gate96::fpu {
namespace {

bool needs_world(const FpuConfig& config) {
  return config.profile != "always" || config.simd_off_rate > 0;
}

}  // namespace

Context::Context() = default;

Context::Context(const FpuConfig& config, unsigned worker)
    : section_bytes_(config.section_bytes == 0 ? SIZE_MAX : config.section_bytes),
      scalar_below_(config.scalar_below) {
  if (needs_world(config)) world_ = std::make_unique<World>(config, worker, counters_);
}

Context::~Context() = default;

bool Context::ask_world(std::size_t num_bytes) {
  Refusal refusal = Refusal::kGranted;
  if (simd_disabled_.load(std::memory_order_relaxed) || (world_ && world_->simd_is_off())) {
    refusal = Refusal::kSwitchedOff;
  } else if (num_bytes < scalar_below_) {
    refusal = Refusal::kSmall;
  } else if (world_) {
    refusal = world_->machine().usable();
  }
  if (refusal == Refusal::kGranted) return true;
  counters_.refusals[static_cast<std::size_t>(refusal)].add(1);
  return false;
}

void Context::begin_world() {
  world_->section_begins();
}
void Context::end_world() {
  world_->section_ends();
}
void Context::arrive_world(std::uint64_t now_ns) {
  world_->arrive(now_ns);
}
void Context::arrive_world() {
  world_->arrive(ns_of(ticks()));
}
void Context::depart_world() {
  world_->depart();
}
void Context::drain_begin_world() {
  world_->drain_begin();
}
void Context::drain_end_world() {
  world_->drain_end();
}
bool Context::atomic_world() const {
  return world_->machine().cpu().atomic();
}

void Context::set_backend(Width width, Halves halves) {
  if (world_) world_->set_backend(width, halves);
}

}  // namespace gate96::fpu
