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

constexpr std::size_t kMany = 32;
constexpr std::array<std::size_t, 2> kLens = {64, 1024};  // a short and a long message
constexpr int kRepetitions = 5;                           // the best counts

class Trial {
 public:
  Trial() : key_(std::span(message_).first<20>()), work_(std::make_unique<Work>()) {}

  double ns_per_message(const BackendChoice& choice, std::size_t num_messages, std::size_t message_len) {
    using Clock = std::chrono::steady_clock;
    jobs_.fill({.key = &key_, .data = message_.data(), .len = static_cast<std::uint32_t>(message_len)});
    auto best = std::numeric_limits<double>::max();
    for (int i = 0; i < kRepetitions; ++i) {
      const auto begin = Clock::now();
      begin_work(*work_, std::span(jobs_).first(num_messages));
      advance(*work_, choice, UINT64_MAX, telemetry_);
      const std::chrono::duration<double, std::nano> elapsed = Clock::now() - begin;
      best = std::min(best, elapsed.count());
    }
    return best / static_cast<double>(num_messages);
  }

 private:
  std::array<std::uint8_t, kLens.back()> message_{};
  Key key_;
  std::array<Job, kMany> jobs_;
  std::unique_ptr<Work> work_;
  Telemetry telemetry_;
};

}  // namespace

// Of the rows with one lane only the fastest is a candidate, for any number.
BackendChoice BackendChoice::calibrate() {
  const sha1::Selection& selection = sha1::Selection::instance();
  Trial trial;
  std::vector<const sha1::Backend*> candidates = selection.with_lanes();
  const sha1::Backend* single = selection.best_vector();
  candidates.insert(candidates.begin(), single ? single : selection.best_scalar());

  BackendChoice choice("auto", 0);
  for (std::size_t long_messages : {0, 1}) {
    for (std::size_t number = 1; number <= kCounts; ++number) {
      const std::size_t num_messages = number < kCounts ? number : kMany;
      auto best = std::numeric_limits<double>::max();
      for (const sha1::Backend* backend : candidates) {
        const auto row = static_cast<std::size_t>(backend - sha1::backends().data());
        const double ns = trial.ns_per_message(BackendChoice("", row), num_messages, kLens[long_messages]);
        choice.measurements_.push_back({row, num_messages, kLens[long_messages], ns});
        if (ns >= best) continue;
        best = ns;
        choice.rows_[long_messages][number] = static_cast<std::uint8_t>(row);
      }
    }
    choice.rows_[long_messages][0] = choice.rows_[long_messages][1];
  }
  return choice;
}

}  // namespace gate96::hmac
