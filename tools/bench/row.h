// SPDX-License-Identifier: BSD-3-Clause
// One measured point beside its rival, and the files that rows go to. `rows` are flat: one object a point.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/bench/measure.h"

namespace gate96::bench {

/// A message size in bytes, or the 7:4:1 mix of 64, 594 and 1418 bytes.
struct Size {
  std::size_t bytes = 0;
  bool imix = false;

  bool operator==(const Size&) const = default;
  [[nodiscard]] std::string to_string() const { return imix ? "imix" : std::to_string(bytes); }
  /// "64" or "imix"; nullopt for anything else.
  static std::optional<Size> parse(const std::string& text);
};

struct Row {
  std::string bench;       // "sha1", "burst", ...
  std::string backend;     // ours
  std::string rival = {};  // "openssl", "ipsec-mb-sse", "ipsec-mb-avx2", "ipsec-mb-avx512", a backend, or ""
  std::string rival_isa = {};  // of "openssl": the tier its CPU mask was set to
  std::size_t n = 1;           // messages at once
  Size size = {};
  std::size_t update = 0;  // bytes in one update call; 0: the whole message
  double ns = 0;           // median, per message
  double best_ns = 0;
  double q1_ns = 0;  // the interval within which two rows are not told apart
  double q3_ns = 0;
  double rival_ns = 0;  // median; 0: no rival
  double rival_best_ns = 0;
  double ratio = 0;       // rival's time / ours: above 1 we are faster; 0: no rival
  bool resolved = false;  // the intervals of the two do not overlap
  double core_cpb = 0;    // core cycles per byte, ours
  double rival_core_cpb = 0;
  double spread = 0;        // interquartile range over median, the wider of the two
  std::size_t samples = 0;  // quiet shots that the median is of
  bool noisy = false;
  std::size_t code_bytes = 0;  // of the backend; 0 where it is not the question

  /// What makes it the same point in another run. The best ipsec-mb manager may change between runs.
  [[nodiscard]] std::string identity() const;
};

/// Fills the figures of `row` from ours and, if there is one, a rival. `bytes`: mean length of a message.
void set_figures(Row& row, double bytes, const Measured& ours, const Measured* rival);

/// "openssl avx2", "sha_ni" or "-".
std::string rival_name(const Row& row);

/// "faster", "slower" (ours), "not resolved", or "" without a rival.
std::string verdict(const Row& row);

void to_json(nlohmann::json& out, const Row& row);
void from_json(const nlohmann::json& in, Row& row);

/// Where the figures come from: written beside the rows.
struct Machine {
  std::string cpu = {};
  std::string cycle_source = {};
  double tsc_hz = 0;
  std::string command = {};
};

nlohmann::json to_report(const Machine& machine, const std::vector<Row>& rows);

/// Both throw std::runtime_error that names the file.
void write_json(const std::string& file, const Machine& machine, const std::vector<Row>& rows);
void write_csv(const std::string& file, const std::vector<Row>& rows);
std::vector<Row> read_json(const std::string& file);

/// The header line and one line a row.
std::string to_csv(const std::vector<Row>& rows);

}  // namespace gate96::bench
