// SPDX-License-Identifier: BSD-3-Clause
// One measured point of `gate96-bench fpu`, and the files that they go to.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/bench/fpu_path.h"

namespace gate96::bench {

struct FpuRow {
  std::string scenario;  // empty: a point of the grid
  std::string what;      // what sets it apart within its scenario
  fpu::FpuConfig fpu;
  std::size_t size = 0;
  Run run;              // the one of median throughput
  double low_mpps = 0;  // of the median
  double high_mpps = 0;
  std::uint64_t quartile_section_ns = 0;  // a quarter of the repetitions had no longer section than this
  std::string verdict;                    // of the scenario: "shows", "absent" or "unresolved"
};

[[nodiscard]] nlohmann::ordered_json to_json(const FpuRow& row);

[[nodiscard]] std::string to_table(const std::vector<FpuRow>& rows);

/// Throws std::runtime_error that names the file.
void write_fpu_json(const std::string& file, const std::string& command, const std::vector<FpuRow>& rows);

/// The gnuplot script: throughput as bars and median and 99th percentile of latency as points, a row each.
[[nodiscard]] std::string fpu_plot_script(const std::string& file, const std::vector<FpuRow>& rows);

}  // namespace gate96::bench
