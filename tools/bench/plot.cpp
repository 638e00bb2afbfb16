// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/plot.h"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <stdexcept>

namespace gate96::bench {
namespace {

struct Axes {
  bool over_n;  // else over the size
  const char* x;
  const char* y;
};

Axes choose_axes(const std::vector<Row>& rows) {
  if (!rows.empty() && rows.front().bench == "burst") {
    return {true, "packets in a burst", "rival's time / ours"};
  }
  return {false, "message, bytes", "core cycles per byte"};
}

std::string series_name(const Axes& axes, const Row& row) {
  if (axes.over_n) {
    return fmt::format("{} {}", row.size.to_string(),
                       row.rival.starts_with("ipsec-mb") ? "ipsec-mb" : row.rival);
  }
  const std::string update = row.update == 0 ? "" : fmt::format(" by {}", row.update);
  return fmt::format("{} {}{}", row.bench, row.backend, update);
}

std::string point(const Axes& axes, const Row& row) {
  if (axes.over_n) return fmt::format("{} {:.4f}\n", row.n, row.ratio);
  return fmt::format("{} {:.4f}\n", row.size.bytes, row.core_cpb);
}

}  // namespace

std::string plot_script(const std::string& file, const std::vector<Row>& rows) {
  const Axes axes = choose_axes(rows);
  std::map<std::string, std::string> series;
  for (const Row& row : rows) {
    if (axes.over_n || !row.size.imix) series[series_name(axes, row)] += point(axes, row);
  }
  std::string script = fmt::format(
      "set terminal svg size 960,600\nset output '{}'\nset logscale x 2\nset grid\n"
      "set xlabel \"{}\"\nset ylabel \"{}\"\nset key outside\n",
      file, axes.x, axes.y);
  std::string lines;
  std::string data;
  for (const auto& [name, points] : series) {
    lines +=
        fmt::format("{}'-' with linespoints title '{}' noenhanced", lines.empty() ? "plot " : ", ", name);
    data += points + "e\n";
  }
  return script + lines + "\n" + data;
}

void run_gnuplot(const std::string& file, const std::string& script) {
  std::FILE* pipe = popen("gnuplot", "w");
  if (pipe == nullptr) throw std::runtime_error("cannot start gnuplot");
  std::fwrite(script.data(), 1, script.size(), pipe);
  if (pclose(pipe) != 0) throw std::runtime_error(fmt::format("gnuplot failed to draw {}", file));
}

void plot(const std::string& file, const std::vector<Row>& rows) {
  run_gnuplot(file, plot_script(file, rows));
}

}  // namespace gate96::bench
