// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/tcrypt.h"

#include <fmt/format.h>

#include <array>

#include "tools/bench/progress.h"
#include "tools/bench/subject.h"
#include "tools/bench/table.h"

namespace gate96::bench {
namespace {

struct Shape {
  std::size_t bytes;
  std::size_t update;
};

constexpr std::array<Shape, 22> kShapes = {
    {{16, 16},     {64, 16},     {64, 64},     {256, 16},    {256, 64},    {256, 256},
     {1024, 16},   {1024, 256},  {1024, 1024}, {2048, 16},   {2048, 256},  {2048, 1024},
     {2048, 2048}, {4096, 16},   {4096, 256},  {4096, 1024}, {4096, 4096}, {8192, 16},
     {8192, 256},  {8192, 1024}, {8192, 4096}, {8192, 8192}}};

constexpr std::size_t kTrials = 5;

double mib_per_second(std::size_t bytes, double ns) {
  return static_cast<double>(bytes) / ns * 1e9 / 1048576;
}

/// Means over the trials stand where other commands have medians.
void use_means(Row& row, const Measured& base, const Measured& other) {
  set_figures(row, static_cast<double>(row.size.bytes), other, &base);
  row.ns = other.ns.mean;
  row.rival_ns = base.ns.mean;
  row.ratio = base.ns.mean / other.ns.mean;
  row.core_cpb = other.cycles.mean / static_cast<double>(row.size.bytes);
  row.rival_core_cpb = base.cycles.mean / static_cast<double>(row.size.bytes);
}

std::vector<std::string> line_of(const Row& row) {
  return {fmt::format("{}|{}", row.size.bytes, row.update),
          fmt::format("{:.2f}", mib_per_second(row.size.bytes, row.rival_ns)),
          fmt::format("{:.1f}", row.rival_core_cpb),
          fmt::format("{:.2f}", mib_per_second(row.size.bytes, row.ns)),
          fmt::format("{:.1f}", row.core_cpb),
          fmt::format("{:+.1f}", (row.ratio - 1) * 100),
          row.noisy ? "noisy" : ""};
}

Row measure_shape(Session& session, const Backends& pair, Shape shape, Bytes data) {
  Contender contenders[] = {message_of(*pair[0], data.first(shape.bytes), shape.update),
                            message_of(*pair[1], data.first(shape.bytes), shape.update)};
  Limits limits = session.limits();
  limits.samples = kTrials;
  limits.shot_seconds *= 4;  // few trials, so longer ones
  const std::vector<Measured> both = session.measure(contenders, limits);
  Row row{.bench = "tcrypt",
          .backend = std::string(pair[1]->name),
          .rival = std::string(pair[0]->name),
          .size = {.bytes = shape.bytes},
          .update = shape.update};
  use_means(row, both[0], both[1]);
  return row;
}

}  // namespace

void run_tcrypt(Session& session, std::vector<std::string> names) {
  if (names.empty()) names = {"generic", "x86_64"};
  const Backends pair = choose_backends(names);
  if (pair.size() != 2 || pair[0]->lanes != 1 || pair[1]->lanes != 1) {
    throw UsageError("--tcrypt compares two single-stream backends: --backends A,B");
  }
  const TestBytes data(8192);
  for (const sha1::Backend* backend : pair) check_backend(*backend, data, 8192);
  session.open();
  Progress progress(kShapes.size());
  Table table(
      {"bytes|update", names[0] + " MiB/s", "cycles/B", names[1] + " MiB/s", "cycles/B", "change %", ""});
  for (const Shape& shape : kShapes) {
    progress.step(fmt::format("{}|{}", shape.bytes, shape.update));
    session.rows.push_back(measure_shape(session, pair, shape, data.all()));
    table.add(line_of(session.rows.back()));
  }
  fmt::print("\ntcrypt, mean of {} trials; change of throughput, {} to {}.\n{}", kTrials, names[0], names[1],
             table.to_string());
}

}  // namespace gate96::bench
