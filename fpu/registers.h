// SPDX-License-Identifier: BSD-3-Clause
// What SAVE and RESTORE cost: counted, and with save_cost = "real" executed on the registers of this CPU.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fpu/counters.h"
#include "fpu/machine.h"
#include "fpu/settings.h"
#include "fpu/xstate.h"

namespace gate96::fpu {

/// The tasks of the model do not run, so their registers have no contents to lose. A SAVE first makes the
/// registers look used by the task and then writes them; a RESTORE loads such a state. Both leave the upper
/// halves clean, as the worker goes on with ordinary SSE code, which a kernel would not.
class Registers final : public EffectSink {
 public:
  Registers(const FpuConfig& config, Width task_width, SaveBy save_by, unsigned num_tasks,
            Counters& counters);

  /// What a section dirties; moved instead of the task's under save_components = "backend".
  void set_backend(Width width);

  void save(const Task& task, std::uint8_t moves) override;
  void restore(const Task& task, std::uint8_t moves) override;
  void violation(Violation violation) override;

 private:
  struct alignas(16) Half {
    std::array<std::uint8_t, kHalfLen> bytes{};
  };

  [[nodiscard]] Width moved_width() const;
  [[nodiscard]] bool executes(std::uint8_t moves) const;
  void count(Counter& counter, std::uint8_t moves);
  void make_areas();

  SaveCost cost_;
  SaveComponents components_;
  Width task_width_;
  Width backend_width_ = Width::kSse;
  SaveBy save_by_;
  Counters& counters_;
  std::vector<StateArea> areas_;  // by Task::id
  std::array<Half, 2> halves_;
};

}  // namespace gate96::fpu
