// SPDX-License-Identifier: BSD-3-Clause
// `gate96-bench cold`: what is left of a backend's speed when data and code are no longer in the caches.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "tools/bench/cold.h"
#include "tools/bench/progress.h"
#include "tools/bench/session.h"
#include "tools/bench/table.h"
#include "tools/bench/versus.h"

namespace gate96::bench {
namespace {

struct ColdOptions {
  std::vector<std::string> backends;
  std::vector<std::size_t> sizes = {64, 256, 1024, 4096};
  std::size_t every = 4;
};

void add_lines(Table& table, const std::vector<Row>& hot, const std::vector<Row>& cold) {
  for (std::size_t i = 0; i < hot.size(); ++i) {
    table.add({cold[i].backend, rival_name(cold[i]), cold[i].size.to_string(),
               fmt::format("{:.0f}", hot[i].ns), fmt::format("{:.0f}", cold[i].ns),
               fmt::format("{:.2f}", cold[i].ns / hot[i].ns), figure(hot[i].rival_ns, 0),
               figure(cold[i].rival_ns, 0), figure(cold[i].ratio, 2),
               fmt::format("{:.1f}", cold[i].spread * 100), verdict(cold[i]),
               hot[i].noisy || cold[i].noisy ? "noisy" : ""});
  }
}

void run_cold(Session& session, const ColdOptions& options) {
  const Backends backends = single_streams(options.backends);
  const TestBytes data(
      std::max(sha1::kBlockLen, *std::max_element(options.sizes.begin(), options.sizes.end())));
  for (const sha1::Backend* backend : backends) check_backend(*backend, data, sha1::kBlockLen);
  session.open();
  Evictor evictor;
  Progress progress(options.sizes.size());
  Table table({"backend", "rival", "bytes", "hot ns", "cold ns", "cold/hot", "rival hot", "cold",
               "ratio cold", "IQR %", "", ""},
              2);
  for (std::size_t size : options.sizes) {
    progress.step(fmt::format("{} bytes", size));
    std::vector<Contender> contenders =
        with_rivals(backends, [&](const auto& who) { return message_of(who, data.first(size)); });
    const std::vector<Row> hot = against_openssl("hot", backends, size, session.measure(contenders));
    for (Contender& contender : contenders) make_cold(contender, evictor, options.every);
    const std::vector<Row> cold =
        against_openssl("cold", backends, size, session.measure(contenders, cold_limits(session)));
    add_lines(table, hot, cold);
    session.rows.insert(session.rows.end(), hot.begin(), hot.end());
    session.rows.insert(session.rows.end(), cold.begin(), cold.end());
  }
  fmt::print("\nWhole messages, caches evicted before every {} of them; medians per message.\n{}",
             options.every, table.to_string());
}

}  // namespace

Command add_cold(CLI::App& app, Session& session) {
  const auto options = std::make_shared<ColdOptions>();
  CLI::App* command =
      app.add_subcommand("cold",
                         "Messages hashed with data and instruction caches evicted every few iterations,\n"
                         "beside the same with warm caches and OpenSSL of the same instruction set.");
  command->add_option("--backends", options->backends, "only these single-stream ones, A,B,...")
      ->delimiter(',');
  command->add_option("--sizes", options->sizes, "message bytes")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 24));
  command->add_option("--every", options->every, "messages between two evictions")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10000}))
      ->capture_default_str();
  session.add_options(*command);
  return {command, [&session, options] { run_cold(session, *options); }};
}

}  // namespace gate96::bench
