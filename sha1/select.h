// SPDX-License-Identifier: BSD-3-Clause
// Which backends may run on a CPU and gave right answers there, and which is best for what.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sha1/backends.h"
#include "sha1/cpu.h"

namespace gate96::sha1 {

enum class SelfTest { kNotRun, kPassed, kFailed };

/// A row of the table and the reason why it may not run here: "" if it may.
struct Candidate {
  const Backend* backend;
  std::string why_not;
  SelfTest self_test = SelfTest::kNotRun;

  [[nodiscard]] bool usable() const { return why_not.empty(); }
};

/// The outcome of asking for a backend by name: either `backend` or `error` is set.
struct Found {
  const Backend* backend = nullptr;
  std::string error;
  bool self_test_failed = false;  // the CPU could run it, but its answers were wrong
};

/// The table judged for one CPU. Once built it only is read, so all threads may share one.
class Selection {
 public:
  /// The rows must outlive the selection.
  Selection(std::span<const Backend> rows, const Cpu& cpu);

  /// Tests every usable row and disables those that fail. Only for the CPU of this machine.
  void run_self_test();

  /// This build's table on this machine, self-tested. Built at the first call; aborts if no scalar row works.
  [[nodiscard]] static const Selection& instance();

  [[nodiscard]] std::span<const Candidate> candidates() const { return candidates_; }

  /// The usable rows, in the table's order.
  [[nodiscard]] std::vector<const Backend*> usable() const;

  /// The fastest usable single stream in scalar registers. Never null: `generic` runs anywhere.
  [[nodiscard]] const Backend* best_scalar() const { return best(Registers::kScalar); }

  /// The fastest usable single stream in vector registers, or null.
  [[nodiscard]] const Backend* best_vector() const { return best(Registers::kVector); }

  /// The usable multi-buffer rows (lanes > 1), in the table's order.
  [[nodiscard]] std::vector<const Backend*> with_lanes() const;

  /// By name. The error of a backend that may not run names what is missing; of an unknown name, the known
  /// ones.
  [[nodiscard]] Found find(std::string_view name) const;

 private:
  [[nodiscard]] const Backend* best(Registers registers) const;

  std::vector<Candidate> candidates_;
};

}  // namespace gate96::sha1
