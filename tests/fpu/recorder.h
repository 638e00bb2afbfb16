// SPDX-License-Identifier: BSD-3-Clause
// A modelled CPU with one user task, and a count of what its events would have moved.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "fpu/machine.h"

namespace gate96::fpu {

struct Recorder final : EffectSink {
  int saves = 0;
  int restores = 0;
  std::uint8_t last_save = kMoveNothing;
  std::uint8_t last_restore = kMoveNothing;
  std::array<int, kNumViolations> violations{};

  void save(const Task&, std::uint8_t moves) override {
    ++saves;
    last_save = moves;
  }
  void restore(const Task&, std::uint8_t moves) override {
    ++restores;
    last_restore = moves;
  }
  void violation(Violation violation) override { ++violations[static_cast<std::size_t>(violation)]; }

  int count(Violation violation) const { return violations[static_cast<std::size_t>(violation)]; }
  int num_violations() const {
    int sum = 0;
    for (const int count : violations) sum += count;
    return sum;
  }
};

/// SAVEs and RESTOREs, for comparing at once.
struct Moves {
  int saves;
  int restores;
  bool operator==(const Moves&) const = default;
  friend void PrintTo(const Moves& m, std::ostream* os) {
    *os << m.saves << " SAVEs, " << m.restores << " RESTOREs";
  }
};

struct Bench {
  Recorder recorder;
  Task idle, user;
  Machine machine;

  explicit Bench(std::string_view profile, bool eager = true)
      : machine(*find_profile(profile), idle, recorder, eager) {
    machine.start_task(user);
  }

  Moves moves() const { return {recorder.saves, recorder.restores}; }
  void forget_moves() { recorder = {}; }
  bool usable() const { return machine.usable() == Refusal::kGranted; }

  void section() {
    machine.begin();
    machine.end();
  }
  /// The user task runs, in user mode, and its state is live in the registers.
  void user_owns() {
    machine.switch_to(user);
    machine.return_to_user();
    machine.user_fp();
    forget_moves();
  }
  void softirq_over(Interrupted from) {
    machine.interrupt_entry(from);
    machine.softirq_entry();
  }
  void softirq_done() {
    machine.softirq_exit();
    machine.interrupt_exit();
  }
  /// A softirq that asks, has one section if it may, and returns; the answer.
  bool softirq_section(Interrupted from) {
    softirq_over(from);
    const bool granted = usable();
    if (granted) section();
    softirq_done();
    return granted;
  }
};

}  // namespace gate96::fpu
