// SPDX-License-Identifier: BSD-3-Clause
// `gate96-bench sha1`: every backend beside OpenSSL's SHA-1 of the same instruction set, all interleaved.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "tools/bench/progress.h"
#include "tools/bench/session.h"
#include "tools/bench/subject.h"
#include "tools/bench/table.h"
#include "tools/bench/tcrypt.h"
#include "tools/bench/versus.h"

namespace gate96::bench {
namespace {

constexpr std::size_t kBlocksLen = 8192;  // 128 blocks: enough to hide the call, all of it in L1

struct Sha1Options {
  std::vector<std::string> backends;
  std::vector<std::size_t> sizes = {64, 256, 1024, 8192};
  bool tcrypt = false;
};

/// Two single streams in turn against two at once: what interleaving gains.
void add_x2_row(std::vector<Row>& rows, const std::vector<Measured>& all) {
  const auto has = [&](const char* backend) {
    return std::any_of(all.begin(), all.end(), [&](const Measured& m) { return m.name == backend; });
  };
  if (!has("sha_ni") || !has("sha_ni_x2")) return;
  Row row{
      .bench = "blocks", .backend = "sha_ni_x2", .rival = "sha_ni", .n = 2, .size = {.bytes = kBlocksLen}};
  set_figures(row, static_cast<double>(kBlocksLen), figures_of(all, "sha_ni_x2"), &figures_of(all, "sha_ni"));
  rows.push_back(row);
}

std::vector<Row> measure_blocks(Session& session, const Backends& backends, const TestBytes& data) {
  std::vector<Contender> contenders =
      with_rivals(backends, [&](const auto& who) { return blocks_of(who, data, kBlocksLen); });
  const std::vector<Measured> all = session.measure(contenders);
  std::vector<Row> rows = against_openssl("blocks", backends, kBlocksLen, all);
  add_x2_row(rows, all);
  return rows;
}

void print_blocks(const std::vector<Row>& rows) {
  Table table(
      {"backend", "rival", "lanes", "cycles/step", "of rival", "MiB/s", "ratio", "IQR %", "n", "", ""}, 2);
  for (const Row& row : rows) {
    const double step = 64.0 * static_cast<double>(row.n);
    table.add({row.backend, rival_name(row), fmt::to_string(row.n),
               fmt::format("{:.1f}", row.core_cpb * step), figure(row.rival_core_cpb * step, 1),
               fmt::format("{:.0f}", static_cast<double>(row.size.bytes) / row.ns * 1e9 / 1048576),
               figure(row.ratio, 3), fmt::format("{:.1f}", row.spread * 100), fmt::to_string(row.samples),
               verdict(row), row.noisy ? "noisy" : ""});
  }
  fmt::print("\nBlocks, {} bytes a lane. A step is one block in every lane; core cycles.\n{}", kBlocksLen,
             table.to_string());
}

std::vector<Row> measure_messages(Session& session, const Backends& backends, Bytes data) {
  std::vector<Contender> contenders =
      with_rivals(backends, [&](const auto& who) { return message_of(who, data); });
  return against_openssl("sha1", backends, data.size(), session.measure(contenders));
}

void print_messages(const std::vector<Row>& rows) {
  Table table(
      {"backend", "rival", "bytes", "ns", "of rival", "cycles/B", "of rival", "ratio", "IQR %", "n", "", ""},
      2);
  for (const Row& row : rows) {
    table.add({row.backend, rival_name(row), row.size.to_string(), fmt::format("{:.1f}", row.ns),
               figure(row.rival_ns, 1), fmt::format("{:.2f}", row.core_cpb), figure(row.rival_core_cpb, 2),
               figure(row.ratio, 3), fmt::format("{:.1f}", row.spread * 100), fmt::to_string(row.samples),
               verdict(row), row.noisy ? "noisy" : ""});
  }
  fmt::print("\nWhole messages: init, update, final. Medians; ratio above 1: ours is faster.\n{}",
             table.to_string());
}

/// OpenSSL's AVX code is slow elsewhere and is chosen on Intel CPUs only; the tier forces it.
void print_note(const std::vector<Row>& rows) {
  const bool avx =
      std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.rival_isa == name(Tier::kAvx); });
  if (!avx || __builtin_cpu_is("intel")) return;
  fmt::print(
      "\nOpenSSL keeps its AVX code for Intel CPUs; here it is forced. Its ssse3 is what it would choose.\n");
}

void run_modern(Session& session, const Sha1Options& options) {
  const Backends backends = choose_backends(options.backends);
  const TestBytes data(
      std::max(kBlocksLen + kLanesExtra, *std::max_element(options.sizes.begin(), options.sizes.end())));
  for (const sha1::Backend* backend : backends) check_backend(*backend, data, kBlocksLen);
  session.open();

  Progress progress(options.sizes.size() + 1);
  progress.step("blocks");
  const std::vector<Row> blocks = measure_blocks(session, backends, data);
  Backends single = backends;
  std::erase_if(single, [](const sha1::Backend* backend) { return backend->lanes > 1; });
  std::vector<Row> messages;
  for (std::size_t size : options.sizes) {
    progress.step(fmt::format("messages of {} bytes", size));
    const std::vector<Row> rows = measure_messages(session, single, data.first(size));
    messages.insert(messages.end(), rows.begin(), rows.end());
  }
  std::stable_sort(messages.begin(), messages.end(), [&](const Row& a, const Row& b) {
    const auto place = [&](const Row& row) {
      return std::find_if(single.begin(), single.end(), [&](auto* s) { return s->name == row.backend; });
    };
    return place(a) < place(b);
  });
  session.rows = blocks;
  session.rows.insert(session.rows.end(), messages.begin(), messages.end());
  print_blocks(blocks);
  if (!single.empty()) print_messages(messages);
  print_note(session.rows);
}

}  // namespace

Command add_sha1(CLI::App& app, Session& session) {
  const auto options = std::make_shared<Sha1Options>();
  CLI::App* command = app.add_subcommand(
      "sha1",
      "Every usable SHA-1 backend beside OpenSSL of the same instruction set: core cycles per block, and\n"
      "whole messages. With --tcrypt: two backends in the rows of the kernel's tcrypt.");
  command
      ->add_option("--backends", options->backends,
                   "only these, A,B,... (--tcrypt: two; default generic,x86_64)")
      ->delimiter(',');
  command->add_option("--sizes", options->sizes, "message bytes")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 24));
  command->add_flag("--tcrypt", options->tcrypt,
                    "22 rows of bytes hashed | bytes per update, mean of 5 trials");
  session.add_options(*command);
  return {command, [&session, options] {
            if (options->tcrypt) {
              run_tcrypt(session, options->backends);
            } else {
              run_modern(session, *options);
            }
          }};
}

}  // namespace gate96::bench
