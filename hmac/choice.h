// SPDX-License-Identifier: BSD-3-Clause
// Which backend takes how many streams.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hmac/telemetry.h"
#include "sha1/backends.h"

namespace gate96::hmac {

/// Of the messages of a burst, on average.
enum class Length { kShort, kLong };

inline constexpr std::uint64_t kFewBlocks = 4;  // up to here a message is short

/// A row with more lanes has to take less than this share of the time of one with fewer.
inline constexpr double kTie = 0.98;

/// What the calibration saw: `num_messages` messages of `message_len` bytes, each of its own key, in one
/// burst.
struct Measurement {
  std::size_t row;  // of the backend in sha1::backends()
  std::size_t num_messages;
  std::size_t message_len;
  double ns_per_message;
  bool dropped = false;  // another row with as many lanes is faster when all are in use
};

/// What a row costs, by the calibration: `per_message` for each, `per_step` for a block in each of its lanes.
/// In 1/64 ns.
struct Cost {
  std::size_t row;
  std::size_t lanes;
  std::uint64_t per_message;
  std::uint64_t per_step;
};

/// The lengths of a burst's messages, in blocks, outer hashes included.
struct Lengths {
  std::uint64_t total;
  std::uint64_t longest;
};

/// The cheapest of `costs` (at least one; the first has one lane) for `num_messages` (at least 2) of these
/// lengths. Where one message is so long that most lanes would wait for it, fewer and faster lanes are
/// better.
[[nodiscard]] std::size_t cheapest_row(std::span<const Cost> costs, std::size_t num_messages,
                                       Lengths lengths);

/// Whether streams in the lanes of `row`, too few to fill them, should go on in those of `for_row`. Few lanes
/// are left at once; to leave many takes some steps' time, so the new steps have to be a fifth cheaper.
[[nodiscard]] bool worth_leaving(std::span<const Cost> costs, std::size_t row, std::size_t for_row);

/// A table from the number of streams that are left to a row of the backend table. Immutable once made;
/// threads may share one.
class BackendChoice {
 public:
  struct Named;

  /// The fastest for each number and two lengths, measured at the first call (less than 0.1 s) on this
  /// machine.
  [[nodiscard]] static const BackendChoice& automatic();

  /// "auto", or one row for everything, whether it is any good at it or not.
  [[nodiscard]] static Named named(std::string_view name);

  /// The fastest scalar row for everything.
  [[nodiscard]] static const BackendChoice& scalar();

  /// "auto" or the name of the row.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// The row for `num_streams` (at least 1) streams that are left.
  [[nodiscard]] std::size_t row(std::size_t num_streams, Length length) const {
    return rows_[static_cast<std::size_t>(length)][num_streams < kCounts ? num_streams : kCounts];
  }

  /// The row for `num_messages` new messages of unequal length.
  [[nodiscard]] std::size_t row_for(std::size_t num_messages, Lengths lengths, Length length) const;

  /// The greatest number of streams below `num_streams` that had better leave the lanes of `row` for another.
  [[nodiscard]] std::size_t floor(std::size_t row, std::size_t num_streams, Length length) const {
    const std::size_t count = num_streams < kCounts ? num_streams : kCounts;
    return floors_[static_cast<std::size_t>(length)][row][count];
  }

  /// True if any row is vector code.
  [[nodiscard]] bool is_vector() const { return is_vector_; }

  /// What the table rests on, and what follows for unequal lengths: empty for a named one.
  [[nodiscard]] std::span<const Measurement> measurements() const { return measurements_; }
  [[nodiscard]] std::span<const Cost> costs() const { return costs_; }

  /// The table as text, with its reasons: a line per range of numbers.
  [[nodiscard]] std::string explain() const;

  static constexpr std::size_t kCounts = 33;  // streams from here on count as "many"

 private:
  BackendChoice(std::string name, std::size_t row);
  static BackendChoice calibrate();
  void note_costs();
  void note_rows();

  std::string name_;
  std::array<std::array<std::uint8_t, kCounts + 1>, 2> rows_{};  // [long][number]
  std::array<std::array<std::array<std::uint8_t, kCounts + 1>, kMaxBackends>, 2>
      floors_{};  // [long][row][number]
  bool is_vector_ = false;
  std::vector<Measurement> measurements_;
  std::vector<Cost> costs_;  // of all candidates; the first has one lane. Empty for a named choice
};

/// Exactly one of the two is set.
struct BackendChoice::Named {
  std::optional<BackendChoice> choice;
  std::string error;
};

}  // namespace gate96::hmac
