// SPDX-License-Identifier: BSD-3-Clause
// `gate96-bench footprint`: does unrolled code pay when caches are cold? Code bytes against speed, the
// question that reviewers asked in 2007.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "tools/bench/cold.h"
#include "tools/bench/progress.h"
#include "tools/bench/session.h"
#include "tools/bench/subject.h"
#include "tools/bench/table.h"
#include "tools/bench/versus.h"

namespace gate96::bench {
namespace {

constexpr std::size_t kSizes[] = {64, 1024};  // 1 block, and 16

struct FootprintOptions {
  std::vector<std::string> backends;
};

Row row_of(const char* bench, const sha1::Backend& backend, std::size_t size,
           const std::vector<Measured>& all) {
  const std::string first = all.front().name;
  const bool is_first = backend.name == first;
  Row row{.bench = bench,
          .backend = std::string(backend.name),
          .rival = is_first ? "" : first,
          .n = backend.lanes,
          .size = {.bytes = size}};
  row.code_bytes = backend.code_bytes;
  set_figures(row, static_cast<double>(size), figures_of(all, row.backend),
              is_first ? nullptr : &all.front());
  return row;
}

/// Hot and cold rows of one size, a backend after the other.
std::vector<Row> measure_size(Session& session, const Backends& backends, const TestBytes& data,
                              std::size_t size, Evictor& evictor) {
  std::vector<Contender> contenders;
  for (const sha1::Backend* backend : backends) contenders.push_back(blocks_of(*backend, data, size));
  const std::vector<Measured> hot = session.measure(contenders);
  for (Contender& contender : contenders) make_cold(contender, evictor, 1);
  const std::vector<Measured> cold = session.measure(contenders, cold_limits(session));
  std::vector<Row> rows;
  for (const sha1::Backend* backend : backends) {
    rows.push_back(row_of("footprint-hot", *backend, size, hot));
    rows.push_back(row_of("footprint-cold", *backend, size, cold));
  }
  return rows;
}

std::string cell(const Row& row) {
  return fmt::format("{:.0f}{}", row.core_cpb * 64 * static_cast<double>(row.n), row.noisy ? "*" : "");
}

void print(const Backends& backends, const std::vector<Row>& rows) {
  Table table({"backend", "lanes", "code bytes", "hot, 1 block", "cold, 1 block", "hot, 16 blocks",
               "cold, 16 blocks"});
  for (std::size_t i = 0; i < backends.size(); ++i) {
    const auto at = [&](std::size_t size, std::size_t cold) {
      return cell(rows[size * 2 * backends.size() + 2 * i + cold]);
    };
    table.add({std::string(backends[i]->name), fmt::to_string(backends[i]->lanes),
               fmt::to_string(backends[i]->code_bytes), at(0, 0), at(0, 1), at(1, 0), at(1, 1)});
  }
  fmt::print(
      "\nCore cycles a step (one block in every lane). Cold: caches evicted before each call. *: noisy.\n{}",
      table.to_string());
}

void run_footprint(Session& session, const FootprintOptions& options) {
  const Backends backends = choose_backends(options.backends);
  const TestBytes data(kSizes[1] + kLanesExtra);
  for (const sha1::Backend* backend : backends) check_backend(*backend, data, kSizes[1]);
  session.open();
  Evictor evictor;
  Progress progress(std::size(kSizes));
  for (std::size_t size : kSizes) {
    progress.step(fmt::format("{} bytes", size));
    const std::vector<Row> rows = measure_size(session, backends, data, size, evictor);
    session.rows.insert(session.rows.end(), rows.begin(), rows.end());
  }
  print(backends, session.rows);
}

}  // namespace

Command add_footprint(CLI::App& app, Session& session) {
  const auto options = std::make_shared<FootprintOptions>();
  CLI::App* command = app.add_subcommand(
      "footprint",
      "Code bytes of each backend against its speed, hot and with all caches evicted before each call.\n"
      "The rival of a row is the first backend: generic, unless --backends says otherwise.");
  command->add_option("--backends", options->backends, "only these, A,B,...")->delimiter(',');
  session.add_options(*command);
  return {command, [&session, options] { run_footprint(session, *options); }};
}

}  // namespace gate96::bench
