// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace gate96::bench {

std::string Table::to_string() const {
  std::vector<std::size_t> widths;
  for (const auto& line : lines_) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const auto& line : lines_) {
    std::string padded;
    for (std::size_t i = 0; i < line.size(); ++i) {
      padded +=
          i < left_ ? fmt::format("{:<{}}", line[i], widths[i]) : fmt::format("{:>{}}", line[i], widths[i]);
      padded += "  ";
    }
    padded.erase(padded.find_last_not_of(' ') + 1);
    text += padded + "\n";
  }
  return text;
}

std::string figure(double value, int decimals) {
  return value == 0 ? "-" : fmt::format("{:.{}f}", value, decimals);
}

}  // namespace gate96::bench
