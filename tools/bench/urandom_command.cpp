// SPDX-License-Identifier: BSD-3-Clause
// `gate96-bench urandom`: the workload that the assembly of 2007 was shown with.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <stdexcept>

#include "tools/bench/session.h"
#include "tools/bench/table.h"
#include "tools/bench/workload.h"

namespace gate96::bench {
namespace {

constexpr std::size_t kPoolLen = 128;   // bytes
constexpr std::size_t kOutputLen = 10;  // bytes handed out a step: half a digest

/// The shape of the old /dev/urandom: hash the pool (2 blocks and one of padding), stir the digest back in,
/// hand out its two halves folded. It is a workload, not a random number generator.
class Pool {
 public:
  std::array<std::uint8_t, kOutputLen> step(const Digester& digester) {
    const sha1::Digest digest = digester.digest({}, bytes_);
    for (std::uint8_t byte : digest) bytes_[at_++ % kPoolLen] ^= byte;
    std::array<std::uint8_t, kOutputLen> output;
    for (std::size_t i = 0; i < kOutputLen; ++i) output[i] = digest[i] ^ digest[i + kOutputLen];
    return output;
  }

 private:
  std::array<std::uint8_t, kPoolLen> bytes_{};
  std::size_t at_ = 0;
};

Contender contender_of(const Digester& digester) {
  return {.name = digester.name(), .run = [digester, pool = Pool()](std::size_t iterations) mutable {
            for (std::size_t i = 0; i < iterations; ++i) {
              const auto output = pool.step(digester);
              asm volatile("" : : "r"(output.data()) : "memory");
            }
          }};
}

/// A long chain of steps ends the same for all, or nobody is timed.
void check(const Digester& digester, const Digester& right) {
  Pool ours;
  Pool rights;
  for (int i = 0; i < 50; ++i) {
    if (ours.step(digester) != rights.step(right)) {
      throw std::runtime_error(
          fmt::format("{}: not the output that {} gives", digester.name(), right.name()));
    }
  }
}

void run_urandom(Session& session, const std::vector<std::string>& names) {
  const Backends backends = single_streams(names);
  for (const sha1::Backend* backend : backends) check(Digester(*backend), reference_of(*backend));
  session.open();
  std::vector<Contender> contenders =
      with_rivals(backends, [](const auto& who) { return contender_of(Digester(who)); });
  session.rows = against_openssl("urandom", backends, kPoolLen, session.measure(contenders));
  Table table({"backend", "rival", "MB/s", "of rival", "ratio", "IQR %", "", ""}, 2);
  for (const Row& row : session.rows) {
    table.add({row.backend, rival_name(row), fmt::format("{:.1f}", kOutputLen / row.ns * 1e3),
               figure(row.rival_ns == 0 ? 0 : kOutputLen / row.rival_ns * 1e3, 1), figure(row.ratio, 3),
               fmt::format("{:.1f}", row.spread * 100), verdict(row), row.noisy ? "noisy" : ""});
  }
  fmt::print("\nA pool of {} bytes hashed over and over, {} bytes of output a time; MB/s of output.\n{}",
             kPoolLen, kOutputLen, table.to_string());
}

}  // namespace

Command add_urandom(CLI::App& app, Session& session) {
  const auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand(
      "urandom",
      "Workload: a small pool hashed again and again, as the old /dev/urandom did (2007: 3.7 to 5.6 MB/s).");
  command->add_option("--backends", *names, "only these single-stream ones, A,B,...")->delimiter(',');
  session.add_options(*command);
  return {command, [&session, names] { run_urandom(session, *names); }};
}

}  // namespace gate96::bench
