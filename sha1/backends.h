// SPDX-License-Identifier: BSD-3-Clause
// THE BACKEND TABLE: every way to compute SHA-1 that this build has. A new backend is one file and one row
// here; tests, self-test, bench and `gate96 crypto` go over the table.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "sha1/cpu.h"
#include "sha1/state.h"

namespace gate96::sha1 {

/// Which registers a backend touches: vector code needs an FPU section around it, scalar code does not.
enum class Registers { kScalar, kVector };

/// One row. lanes == 1: `block` is set. lanes > 1: `lane` is set and takes that many streams.
struct Backend {
  std::string_view name;
  unsigned lanes;
  FeatureSet needs;  // every instruction group it uses
  Registers registers;
  BlockFn block;
  LaneFn lane;
  std::size_t code_bytes;  // of machine code, constants apart

  [[nodiscard]] bool is_vector() const { return registers == Registers::kVector; }
};

/// The rows of this build, usable here or not. Among rows of the same kind (lanes, registers) the faster
/// comes later. The first is `generic`, which needs nothing.
[[nodiscard]] std::span<const Backend> backends();

}  // namespace gate96::sha1
