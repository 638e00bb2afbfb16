// SPDX-License-Identifier: BSD-3-Clause
// What `gate96 crypto` shows: the backend table as it stands on this machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sha1/select.h"

namespace gate96::sha1 {

struct ReportRow {
  std::string name;
  unsigned lanes = 1;
  bool vector = false;             // touches vector registers
  std::vector<std::string> needs;  // CPU features, by their names in /proc/cpuinfo
  bool usable = false;
  std::string why_not;    // "" if usable
  std::string self_test;  // "passed", "failed" or "not run"
  std::size_t code_bytes = 0;
  double cycles_per_block = 0;  // core cycles per 64-byte block of one lane; 0 if it may not run
};

/// One row for each backend of the build. Measuring takes some milliseconds for each.
[[nodiscard]] std::vector<ReportRow> report(const Selection& selection);

}  // namespace gate96::sha1
