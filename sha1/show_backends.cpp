// SPDX-License-Identifier: BSD-3-Clause
// sha1-backends: the backend table of this build on this machine. For builds of the plain library, 32-bit
// ones too; where there is a gateway, `gate96 crypto` shows the same.
#include <cstdio>

#include "sha1/report.h"

int main() {
  std::printf("%-14s %5s %10s %12s  %s\n", "backend", "lanes", "code bytes", "cycles/block",
              "self-test; needs");
  for (const auto& row : gate96::sha1::report(gate96::sha1::Selection::instance())) {
    std::string notes = row.self_test;
    for (const std::string& need : row.needs) notes += "; " + need;
    if (!row.usable) notes += "; " + row.why_not;
    std::printf("%-14s %5u %10zu %12.1f  %s\n", row.name.c_str(), row.lanes, row.code_bytes,
                row.cycles_per_block, notes.c_str());
  }
  return 0;
}
