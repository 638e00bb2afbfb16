// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tools/bench/row.h"

namespace gate96::bench {

/// The gnuplot script that draws `rows` as SVG into `file`. Bursts: the ratio over the number of packets, a
/// line a size. Everything else: core cycles per byte over the size, a line a backend.
std::string plot_script(const std::string& file, const std::vector<Row>& rows);

/// Runs gnuplot on `script`, which draws `file`. Throws std::runtime_error if that fails.
void run_gnuplot(const std::string& file, const std::string& script);

/// Draws `rows`. Throws std::runtime_error if that fails.
void plot(const std::string& file, const std::vector<Row>& rows);

}  // namespace gate96::bench
