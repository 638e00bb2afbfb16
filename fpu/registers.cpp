// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/registers.h"

#include "fpu/clock.h"

namespace gate96::fpu {

Registers::Registers(const FpuConfig& config, Width task_width, SaveBy save_by, unsigned num_tasks,
                     Counters& counters)
    : cost_(supported_mask(kMaskSse) == kMaskSse || config.save_cost == SaveCost::kOff ? config.save_cost
                                                                                       : SaveCost::kCount),
      components_(config.save_components),
      task_width_(task_width),
      save_by_(supported_save(save_by)),
      counters_(counters) {
  areas_.reserve(num_tasks);
  make_areas();
}

Width Registers::moved_width() const {
  return components_ == SaveComponents::kTask ? task_width_ : backend_width_;
}

void Registers::set_backend(Width width) {
  backend_width_ = width;
  if (components_ == SaveComponents::kBackend) make_areas();
}

/// Areas for the width in use, each filled once so that a RESTORE loads components in use.
void Registers::make_areas() {
  const std::size_t num_tasks = areas_.capacity();
  areas_.clear();
  if (cost_ != SaveCost::kReal) return;
  for (std::size_t i = 0; i < num_tasks; ++i) {
    StateArea& area = areas_.emplace_back(mask_of(moved_width()), save_by_);
    touch_state(moved_width());
    area.save();
    clean_upper();
  }
}

/// sparc64's halves stand for XMM registers: with a wider backend there is nothing here to move them by.
bool Registers::executes(std::uint8_t moves) const {
  return cost_ == SaveCost::kReal && ((moves & kMoveTask) != 0 || backend_width_ == Width::kSse);
}

void Registers::count(Counter& counter, std::uint8_t moves) {
  counter.add(1);
  std::size_t len = (moves & kMoveTask) != 0 ? state_len(moved_width()) : 0;
  if ((moves & kMoveLower) != 0) len += kHalfLen;
  if ((moves & kMoveUpper) != 0) len += kHalfLen;
  counters_.state_bytes.add(len);
}

void Registers::save(const Task& task, std::uint8_t moves) {
  if (cost_ == SaveCost::kOff) return;
  count(counters_.saves, moves);
  if (!executes(moves)) return;
  touch_state((moves & kMoveTask) != 0 ? moved_width() : Width::kSse);
  const std::uint64_t start = ticks();
  if ((moves & kMoveTask) != 0) areas_[task.id].save();
  if ((moves & kMoveLower) != 0) save_half(halves_[0].bytes.data(), false);
  if ((moves & kMoveUpper) != 0) save_half(halves_[1].bytes.data(), true);
  counters_.state_ticks.add(ticks() - start);
  clean_upper();
}

void Registers::restore(const Task& task, std::uint8_t moves) {
  if (cost_ == SaveCost::kOff) return;
  count(counters_.restores, moves);
  if (!executes(moves)) return;
  const std::uint64_t start = ticks();
  if ((moves & kMoveTask) != 0) areas_[task.id].restore();
  if ((moves & kMoveLower) != 0) restore_half(halves_[0].bytes.data(), false);
  if ((moves & kMoveUpper) != 0) restore_half(halves_[1].bytes.data(), true);
  counters_.state_ticks.add(ticks() - start);
  clean_upper();
}

void Registers::violation(Violation violation) {
  counters_.violations[static_cast<std::size_t>(violation)].add(1);
}

}  // namespace gate96::fpu
