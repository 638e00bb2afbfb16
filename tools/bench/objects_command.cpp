// SPDX-License-Identifier: BSD-3-Clause
// `gate96-bench objects`: naming the objects of a git repository, "blob LEN\0" and the contents.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>

#include "tools/bench/session.h"
#include "tools/bench/table.h"
#include "tools/bench/workload.h"

namespace gate96::bench {
namespace {

constexpr std::size_t kNumObjects = 256;                  // sampled evenly from a longer list
constexpr std::size_t kMaxObject = std::size_t{1} << 18;  // longer ones are cut: the time of a row is bounded

struct ObjectsOptions {
  std::vector<std::string> backends;
  std::string list;
};

/// A made-up repository: a quarter commits (200 to 450 bytes), half trees (2 to 60 entries of 36 bytes), a
/// quarter files (log-normal about 4 KiB). --list takes a real one.
std::vector<std::size_t> made_up_sizes() {
  std::mt19937 random(96);
  std::uniform_int_distribution<std::size_t> commit(200, 450);
  std::uniform_int_distribution<std::size_t> entries(2, 60);
  std::lognormal_distribution<double> file(8.3, 1.4);  // e^8.3 = 4024
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < kNumObjects; i += 4) {
    sizes.insert(sizes.end(), {commit(random), 36 * entries(random), 36 * entries(random),
                               static_cast<std::size_t>(file(random))});
  }
  return sizes;
}

std::vector<std::size_t> listed_sizes(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; in >> size;) sizes.push_back(size);
  if (sizes.empty() || !in.eof()) throw UsageError(fmt::format("--list {}: not a list of sizes", file));
  std::sort(sizes.begin(), sizes.end());
  std::vector<std::size_t> sampled;
  const std::size_t num = std::min(sizes.size(), kNumObjects);
  for (std::size_t i = 0; i < num; ++i) sampled.push_back(sizes[i * sizes.size() / num]);
  std::shuffle(sampled.begin(), sampled.end(), std::mt19937(96));
  return sampled;
}

/// The objects, all cut from the same bytes.
class Repository {
 public:
  explicit Repository(std::vector<std::size_t> sizes) : sizes_(std::move(sizes)) {
    for (std::size_t& size : sizes_) size = std::min(size, kMaxObject);
    for (std::size_t size : sizes_) headers_.push_back(fmt::format("blob {}", size) + '\0');
  }

  [[nodiscard]] std::size_t num() const { return sizes_.size(); }
  [[nodiscard]] std::size_t median() const {
    std::vector<std::size_t> sorted = sizes_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  [[nodiscard]] std::size_t mean() const {
    return std::accumulate(sizes_.begin(), sizes_.end(), std::size_t{0}) / sizes_.size();
  }
  [[nodiscard]] sha1::Digest name(std::size_t object, const Digester& digester) const {
    const std::string& header = headers_[object];
    return digester.digest({reinterpret_cast<const std::uint8_t*>(header.data()), header.size()},
                           bytes_.first(sizes_[object]));
  }

 private:
  std::vector<std::size_t> sizes_;
  std::vector<std::string> headers_;
  TestBytes bytes_{kMaxObject};
};

void check(const Repository& repository, const Digester& digester, const Digester& right) {
  for (std::size_t i = 0; i < repository.num(); ++i) {
    if (repository.name(i, digester) != repository.name(i, right)) {
      throw std::runtime_error(fmt::format("{}: not the names that {} gives", digester.name(), right.name()));
    }
  }
}

Contender contender_of(const Repository& repository, const Digester& digester) {
  return {.name = digester.name(),
          .run =
              [&repository, digester](std::size_t iterations) {
                for (std::size_t i = 0; i < iterations * repository.num(); ++i) {
                  const sha1::Digest digest = repository.name(i % repository.num(), digester);
                  asm volatile("" : : "r"(digest.data()) : "memory");
                }
              },
          .messages = static_cast<double>(repository.num())};
}

void print(const Repository& repository, const std::vector<Row>& rows) {
  Table table({"backend", "rival", "us/object", "of rival", "MiB/s", "ratio", "IQR %", "", ""}, 2);
  for (const Row& row : rows) {
    table.add({row.backend, rival_name(row), fmt::format("{:.2f}", row.ns / 1e3),
               figure(row.rival_ns / 1e3, 2),
               fmt::format("{:.0f}", static_cast<double>(row.size.bytes) / row.ns * 1e9 / 1048576),
               figure(row.ratio, 3), fmt::format("{:.1f}", row.spread * 100), verdict(row),
               row.noisy ? "noisy" : ""});
  }
  fmt::print("\n{} git objects, median {} bytes, mean {}: the time to name one.\n{}", repository.num(),
             repository.median(), repository.mean(), table.to_string());
}

void run_objects(Session& session, const ObjectsOptions& options) {
  const Backends backends = single_streams(options.backends);
  const Repository repository(options.list.empty() ? made_up_sizes() : listed_sizes(options.list));
  for (const sha1::Backend* backend : backends) check(repository, Digester(*backend), reference_of(*backend));
  session.open();
  std::vector<Contender> contenders =
      with_rivals(backends, [&](const auto& who) { return contender_of(repository, Digester(who)); });
  Limits limits = session.limits();
  limits.max_seconds *= 2;  // a shot takes milliseconds
  session.rows = against_openssl("objects", backends, repository.mean(), session.measure(contenders, limits));
  print(repository, session.rows);
}

}  // namespace

Command add_objects(CLI::App& app, Session& session) {
  const auto options = std::make_shared<ObjectsOptions>();
  CLI::App* command = app.add_subcommand(
      "objects",
      "Workload: the names of git objects, many short and a few long. The sizes are made up; for real ones:\n"
      "git cat-file --batch-all-objects --batch-check='%(objectsize)' > sizes.txt");
  command->add_option("--backends", options->backends, "only these single-stream ones, A,B,...")
      ->delimiter(',');
  command->add_option("--list", options->list, "object sizes, one a line")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  session.add_options(*command);
  return {command, [&session, options] { run_objects(session, *options); }};
}

}  // namespace gate96::bench
