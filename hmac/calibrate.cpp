// SPDX-License-Identifier: BSD-3-Clause
// Measures which row of the backend table is fastest for how many streams, with the engine itself.
#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "hmac/advance.h"
#include "hmac/choice.h"
#include "sha1/select.h"

namespace gate96::hmac {
namespace {

constexpr std::size_t kMany = 64;
constexpr std::array<std::size_t, 2> kLens = {64, 1024};  // a short and a long message
constexpr std::array<std::size_t, 2> kMessagesPerSample = {
    64, 48};                           // at least: the first burst runs with cold code
constexpr std::size_t kMostTurns = 8;  // of a row's lanes, or it is not tried
constexpr int kSamples = 8;            // the best counts

class Trial {
 public:
  Trial() : key_(std::span(message_).first<20>()), work_(std::make_unique<Work>()) {}

  double ns_per_message(const BackendChoice& choice, std::size_t num_messages, std::size_t kind) {
    using Clock = std::chrono::steady_clock;
    jobs_.fill({.key = &key_, .data = message_.data(), .len = static_cast<std::uint32_t>(kLens[kind])});
    const std::size_t num_bursts = (kMessagesPerSample[kind] + num_messages - 1) / num_messages;
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < num_bursts; ++i) {
      begin_work(*work_, std::span(jobs_).first(num_messages));
      advance(*work_, choice, UINT64_MAX, telemetry_);
    }
    const std::chrono::duration<double, std::nano> elapsed = Clock::now() - begin;
    return elapsed.count() / static_cast<double>(num_bursts * num_messages);
  }

 private:
  std::array<std::uint8_t, kLens.back()> message_{};
  Key key_;
  std::array<Job, kMany> jobs_;
  std::unique_ptr<Work> work_;
  Telemetry telemetry_;
};

constexpr double kNever = std::numeric_limits<double>::max();

// Of the rows with one lane only the fastest is a candidate, for any number. Sorted by lanes.
std::vector<std::size_t> candidate_rows() {
  const sha1::Selection& selection = sha1::Selection::instance();
  std::vector<const sha1::Backend*> backends = selection.with_lanes();
  const sha1::Backend* single = selection.best_vector();
  backends.insert(backends.begin(), single ? single : selection.best_scalar());
  std::vector<std::size_t> rows;
  for (const sha1::Backend* backend : backends) {
    rows.push_back(static_cast<std::size_t>(backend - sha1::backends().data()));
  }
  return rows;
}

// More lanes have to be faster by some percent: here all messages lie in one place, and idle lanes cost less
// than among messages of their own.
std::uint8_t fastest_row(std::span<const Measurement> all, std::size_t num_messages, std::size_t len) {
  const Measurement* best = nullptr;
  for (const Measurement& m : all) {
    if (m.dropped || m.num_messages != num_messages || m.message_len != len) continue;
    if (best == nullptr || m.ns_per_message < kTie * best->ns_per_message) best = &m;
  }
  return static_cast<std::uint8_t>(best->row);
}

// The rows take turns, so that a disturbance hits all alike.
std::vector<Measurement> measure(Trial& trial, std::size_t num_messages, std::size_t kind) {
  std::vector<Measurement> seen;
  const std::vector<std::size_t> rows = candidate_rows();
  const std::size_t most_lanes = sha1::backends()[rows.back()].lanes;
  const std::size_t wanted = std::min(num_messages, most_lanes * kMostTurns);
  for (std::size_t row : rows) {
    if (sha1::backends()[row].lanes * kMostTurns < wanted) continue;
    seen.push_back({row, num_messages, kLens[kind], kNever});
  }
  for (int sample = 0; sample < kSamples; ++sample) {
    for (Measurement& m : seen) {
      const auto choice = BackendChoice::named(sha1::backends()[m.row].name).choice;
      m.ns_per_message = std::min(m.ns_per_message, trial.ns_per_message(*choice, num_messages, kind));
    }
  }
  return seen;
}

// Of a long and a short message, with all lanes in use.
double time_of(std::span<const Measurement> all, std::size_t row) {
  double time = 0;
  for (const Measurement& m : all) {
    if (m.row == row && m.num_messages == sha1::backends()[row].lanes) time += m.ns_per_message;
  }
  return time;
}

// Of rows with equally many lanes only the fastest is used, for all numbers: code that takes turns with its
// like shares the caches with it.
void drop_twins(std::vector<Measurement>& all) {
  for (Measurement& m : all) {
    const std::size_t lanes = sha1::backends()[m.row].lanes;
    for (const Measurement& other : all) {
      const bool twins = other.row != m.row && sha1::backends()[other.row].lanes == lanes;
      if (twins && time_of(all, other.row) < time_of(all, m.row)) m.dropped = true;
    }
  }
}

}  // namespace

BackendChoice BackendChoice::calibrate() {
  Trial trial;
  BackendChoice choice("auto", 0);
  std::vector<Measurement>& all = choice.measurements_;
  for (std::size_t kind = 0; kind < kLens.size(); ++kind) {
    for (std::size_t number = 1; number <= kCounts; ++number) {
      const auto seen = measure(trial, number < kCounts ? number : kMany, kind);
      all.insert(all.end(), seen.begin(), seen.end());
    }
  }
  drop_twins(all);
  for (auto& rows : choice.rows_) {
    const std::size_t len = kLens[static_cast<std::size_t>(&rows - choice.rows_.data())];
    for (std::size_t number = 1; number <= kCounts; ++number)
      rows[number] = fastest_row(all, number < kCounts ? number : kMany, len);
    rows[0] = rows[1];
  }
  choice.note_costs();
  choice.note_rows();
  return choice;
}

// A line through the two lengths, where all lanes of a row are in use.
void BackendChoice::note_costs() {
  constexpr double kBlocks[2] = {3, 18};  // of kLens, padding and outer hash included
  for (const Measurement& few : measurements_) {
    const std::size_t lanes = sha1::backends()[few.row].lanes;
    if (few.dropped || few.num_messages != lanes || few.message_len != kLens[0]) continue;
    for (const Measurement& many : measurements_) {
      if (many.row != few.row || many.num_messages != lanes || many.message_len != kLens[1]) continue;
      const double per_block =
          std::max(many.ns_per_message - few.ns_per_message, 0.0) / (kBlocks[1] - kBlocks[0]);
      const double rest = std::max(few.ns_per_message - per_block * kBlocks[0], 0.0);
      costs_.push_back({few.row, lanes, static_cast<std::uint64_t>(rest * 64),
                        static_cast<std::uint64_t>(per_block * static_cast<double>(lanes) * 64)});
    }
  }
  std::ranges::sort(costs_, {}, &Cost::lanes);
}

}  // namespace gate96::hmac
