// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/fpu_row.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/bench/clock.h"
#include "tools/bench/table.h"

namespace gate96::bench {
namespace {

std::string_view fallback(const FpuRow& row) {
  return fpu::kFallbackNames[static_cast<std::size_t>(row.fpu.fallback)];
}

double gbits(const FpuRow& row) {
  return row.run.mpps() * static_cast<double>(row.size) * 8e-3;
}

std::string label(const FpuRow& row) {
  if (!row.scenario.empty()) return fmt::format("{}: {}", row.scenario, row.what);
  return fmt::format("{} {} {} {}", row.fpu.profile, row.fpu.workload, fallback(row), row.size);
}

}  // namespace

nlohmann::ordered_json to_json(const FpuRow& row) {
  return {{"scenario", row.scenario},
          {"profile", row.fpu.profile},
          {"workload", row.fpu.workload},
          {"fallback", fallback(row)},
          {"size", row.size},
          {"mpps", row.run.mpps()},
          {"simd_share", row.run.simd_share},
          {"p50_us", row.run.p50_us},
          {"p99_us", row.run.p99_us},
          {"max_section_ns", row.run.max_section_ns},
          {"reordered", row.run.reordered},
          {"saves", row.run.saves},
          {"restores", row.run.restores},
          {"verdict", row.verdict},
          {"what", row.what},
          {"low_mpps", row.low_mpps},
          {"high_mpps", row.high_mpps},
          {"gbits", gbits(row)},
          {"grant_share", row.run.grant_share()},
          {"max_us", row.run.max_us},
          {"deferred", row.run.deferred},
          {"overflow", row.run.overflow},
          {"state_ticks_per_packet", row.run.state_ticks_per_packet}};
}

std::string to_table(const std::vector<FpuRow>& rows) {
  Table table({"", "Mpps", "Gbit/s", "SIMD %", "granted %", "p50 us", "p99 us", "max us", "section ns",
               "reordered", "overflow", "SAVEs", "RESTOREs", "ticks/pkt"});
  for (const FpuRow& row : rows) {
    const Run& run = row.run;
    table.add({label(row), fmt::format("{:.3f}", run.mpps()), fmt::format("{:.2f}", gbits(row)),
               fmt::format("{:.1f}", run.simd_share * 100), fmt::format("{:.1f}", run.grant_share() * 100),
               fmt::format("{:.1f}", run.p50_us), fmt::format("{:.1f}", run.p99_us),
               fmt::format("{:.0f}", run.max_us), fmt::to_string(run.max_section_ns),
               fmt::to_string(run.reordered), fmt::to_string(run.overflow), fmt::to_string(run.saves),
               fmt::to_string(run.restores), fmt::format("{:.0f}", run.state_ticks_per_packet)});
  }
  return table.to_string();
}

void write_fpu_json(const std::string& file, const std::string& command, const std::vector<FpuRow>& rows) {
  nlohmann::ordered_json report = {{"program", "gate96-bench"}, {"command", command}, {"cpu", cpu_name()}};
  report["rows"] = nlohmann::ordered_json::array();
  for (const FpuRow& row : rows) report["rows"].push_back(to_json(row));
  std::ofstream out(file);
  if (!(out << report.dump(1) << "\n").flush()) throw std::runtime_error("cannot write " + file);
}

std::string fpu_plot_script(const std::string& file, const std::vector<FpuRow>& rows) {
  std::string data;
  for (const FpuRow& row : rows) {
    data += fmt::format("\"{}\" {:.4f} {:.3f} {:.3f}\n", label(row), row.run.mpps(), row.run.p50_us,
                        row.run.p99_us);
  }
  return fmt::format(
      "set terminal svg size 1000,640 noenhanced\nset output '{}'\n$rows << EOD\n{}EOD\n"
      "set style fill solid 0.6\nset boxwidth 0.7\nset grid y\nset xtics rotate by -40 noenhanced font ',9'\n"
      "set ylabel 'Mpps'\nset yrange [0:*]\nset ytics nomirror\nset y2label 'us from arrival to transmit'\n"
      "set logscale y2\nset y2tics\nset key top left\nset rmargin 12\n"
      "plot $rows using 0:2:xtic(1) with boxes title 'Mpps', '' using 0:3 axes x1y2 with points pt 7 title "
      "'p50, us', '' using 0:4 axes x1y2 with points pt 5 title 'p99, us'\n",
      file, data);
}

}  // namespace gate96::bench
