// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace gate96::bench {

/// Text in aligned columns: the first `left` to the left, the others to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header, std::size_t left = 1) : left_(left) {
    lines_.push_back(std::move(header));
  }
  void add(std::vector<std::string> line) { lines_.push_back(std::move(line)); }
  [[nodiscard]] std::string to_string() const;

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> lines_;
};

/// `value` with `decimals` digits after the point; "-" for 0, which no measurement gives.
std::string figure(double value, int decimals);

}  // namespace gate96::bench
