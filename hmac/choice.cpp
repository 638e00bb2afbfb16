// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/choice.h"

#include <algorithm>

#include "sha1/select.h"

namespace gate96::hmac {
namespace {

constexpr std::uint64_t kFewLanes = 4;    // so many share a driver, which changes between rows in place
constexpr std::uint64_t kManyLanes = 16;  // beyond, some in between take over first
constexpr std::uint64_t kHandOverSteps =
    3;  // else: a group of outer hashes that is not full, states moved; measured

std::size_t row_of(const sha1::Backend* backend) {
  return static_cast<std::size_t>(backend - sha1::backends().data());
}

std::string format_ns(double ns) {
  const auto tenths = static_cast<std::uint64_t>(ns * 10 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

constexpr unsigned kReciprocalBits = 12;
using Reciprocals = std::array<std::uint64_t, sha1::kMaxLanes + 1>;

constexpr Reciprocals make_reciprocals() {
  Reciprocals all{};
  for (std::size_t i = 1; i < all.size(); ++i) all[i] = ((1u << kReciprocalBits) + i - 1) / i;
  return all;
}

constexpr Reciprocals kReciprocals = make_reciprocals();

// About dividend / divisor, for divisors up to kMaxLanes. For two messages the divisions took a fiftieth of
// all time.
std::uint64_t quotient(std::uint64_t dividend, std::uint64_t divisor) {
  return dividend * kReciprocals[divisor] >> kReciprocalBits;
}

}  // namespace

BackendChoice::BackendChoice(std::string name, std::size_t row) : name_(std::move(name)) {
  for (auto& rows : rows_) rows.fill(static_cast<std::uint8_t>(row));
  note_rows();
}

// What follows from rows_ and costs_.
void BackendChoice::note_rows() {
  is_vector_ = false;
  for (std::size_t kind = 0; kind < rows_.size(); ++kind) {
    for (std::uint8_t row : rows_[kind]) is_vector_ |= sha1::backends()[row].is_vector();
    for (std::size_t row = 0; row < sha1::backends().size(); ++row) {
      for (std::size_t number = 0; number <= kCounts; ++number) {
        std::size_t floor = std::min<std::size_t>(number, sha1::backends()[row].lanes);
        while (floor > 0 && (floor == number || !worth_leaving(costs_, row, rows_[kind][floor]))) --floor;
        floors_[kind][row][number] = static_cast<std::uint8_t>(floor);
      }
    }
  }
}

const BackendChoice& BackendChoice::automatic() {
  static const BackendChoice choice = calibrate();
  return choice;
}

const BackendChoice& BackendChoice::scalar() {
  static const BackendChoice choice("scalar", row_of(sha1::Selection::instance().best_scalar()));
  return choice;
}

BackendChoice::Named BackendChoice::named(std::string_view name) {
  if (name == "auto") return {automatic(), {}};
  const sha1::Found found = sha1::Selection::instance().find(name);
  if (!found.backend) return {std::nullopt, found.error};
  return {BackendChoice(std::string(name), row_of(found.backend)), {}};
}

bool worth_leaving(std::span<const Cost> costs, std::size_t row, std::size_t for_row) {
  if (row == for_row || sha1::backends()[row].lanes <= kFewLanes) return row != for_row;
  const auto here = std::ranges::find(costs, row, &Cost::row);
  const auto there = std::ranges::find(costs, for_row, &Cost::row);
  if (here == costs.end() || there == costs.end()) return true;
  return there->per_step * 5 < here->per_step * 4;
}

// Longest first over the lanes: either the sum binds, or the longest does, whose last blocks are hashed
// alone.
std::size_t cheapest_row(std::span<const Cost> costs, std::size_t num_messages, Lengths lengths) {
  std::size_t best_row = costs.front().row;
  std::uint64_t best = UINT64_MAX;
  for (const Cost& cost : costs) {
    if (cost.lanes > 4 * num_messages) break;  // sorted: too many lanes would be idle in all that follow
    const std::uint64_t lanes = std::min<std::uint64_t>(num_messages, cost.lanes);
    std::uint64_t time = num_messages * cost.per_message;
    if (lengths.longest * lanes <= lengths.total) {
      time += quotient(lengths.total * cost.per_step, lanes);
    } else {
      const std::uint64_t together = quotient(lengths.total - lengths.longest, lanes - 1);
      time += together * cost.per_step + (lengths.longest - together) * costs.front().per_step;
      if (lanes > kFewLanes) time += kHandOverSteps * cost.per_step;
      if (lanes > kManyLanes) time += kHandOverSteps * cost.per_step;
    }
    if (time >= best) continue;
    best = time;
    best_row = cost.row;
  }
  return best_row;
}

std::size_t BackendChoice::row_for(std::size_t num_messages, Lengths lengths, Length length) const {
  if (costs_.empty() || num_messages == 1) return row(num_messages, length);
  return cheapest_row(costs_, num_messages, lengths);
}

std::string BackendChoice::explain() const {
  if (measurements_.empty()) return "all messages: " + name_ + " (asked for by name)\n";
  std::string text;
  for (const Measurement& best : measurements_) {
    const std::size_t number = std::min(best.num_messages, kCounts);
    if (rows_[best.message_len > kFewBlocks * sha1::kBlockLen][number] != best.row) continue;
    text += std::to_string(best.num_messages) + " x " + std::to_string(best.message_len) +
            " bytes: " + std::string(sha1::backends()[best.row].name) + ", " +
            format_ns(best.ns_per_message) + " ns each";
    const char* separator = "; not ";
    for (const Measurement& other : measurements_) {
      if (other.num_messages != best.num_messages || other.message_len != best.message_len) continue;
      if (other.row == best.row) continue;
      text +=
          separator + std::string(sha1::backends()[other.row].name) + " " + format_ns(other.ns_per_message);
      separator = ", ";
    }
    text += "\n";
  }
  text += "unequal lengths, by estimate:";
  for (const Cost& cost : costs_) {
    text.append(" ").append(sha1::backends()[cost.row].name);
    text.append(" ").append(format_ns(static_cast<double>(cost.per_step) / 64)).append(" ns a step + ");
    text.append(format_ns(static_cast<double>(cost.per_message) / 64)).append(" a message;");
  }
  text.back() = '\n';
  return text;
}

}  // namespace gate96::hmac
