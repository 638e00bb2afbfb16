// SPDX-License-Identifier: BSD-3-Clause
// A burst of messages for tests: each with its own key, whole or in pieces, with the ICV that is right.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>
#include <vector>

#include "sha1/select.h"
#include "tests/hmac/reference.h"

namespace gate96::hmac {

class Load {
 public:
  explicit Load(std::uint32_t seed = 96) : random_(seed) {}

  std::mt19937& random() { return random_; }

  /// A message of `len` random bytes in one place.
  void add(std::size_t len) { add_pieces({len}, false); }
  void add_with_esn(std::size_t len) { add_pieces({len}, true); }

  /// A message in pieces of these lengths (at least one).
  void add_pieces(const std::vector<std::size_t>& lens, bool has_esn) {
    Bytes& key = keys_bytes_.emplace_back(random_bytes(20));
    Bytes all;
    auto& segments = segments_.emplace_back();
    for (std::size_t len : lens) {
      const Bytes& piece = pieces_.emplace_back(random_bytes(len));
      all.insert(all.end(), piece.begin(), piece.end());
      segments.push_back({piece.data(), static_cast<std::uint32_t>(len)});
    }
    Job job = {.key = &keys_.emplace_back(key), .data = segments[0].data, .len = segments[0].len};
    job.num_more = static_cast<std::uint16_t>(lens.size() - 1);
    job.more = segments.data() + 1;
    if (has_esn) {
      job.has_esn = true;
      job.esn_high = static_cast<std::uint32_t>(random_());
      for (int shift = 24; shift >= 0; shift -= 8)
        all.push_back(static_cast<std::uint8_t>(job.esn_high >> shift));
    }
    jobs_.push_back(job);
    expected_.push_back(reference_icv(key, all));
  }

  std::vector<Job>& jobs() { return jobs_; }

  void clear_icvs() {
    for (Job& job : jobs_) job.icv.fill(0);
  }

  void expect_right(const std::string& what) const {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      ASSERT_EQ(to_hex(jobs_[i].icv), to_hex(expected_[i]))
          << what << ": message " << i << " of " << jobs_.size() << ", " << jobs_[i].len << " bytes";
    }
  }

 private:
  Bytes random_bytes(std::size_t len) {
    Bytes bytes(len);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random_());
    return bytes;
  }

  std::mt19937 random_;
  std::deque<Bytes> keys_bytes_;
  std::deque<Bytes> pieces_;
  std::deque<Key> keys_;
  std::deque<std::vector<Segment>> segments_;
  std::vector<Job> jobs_;
  std::vector<Icv> expected_;
};

/// "auto" and every row that runs here.
inline std::vector<std::string> all_choices() {
  std::vector<std::string> names = {"auto"};
  for (const sha1::Backend* backend : sha1::Selection::instance().usable()) names.emplace_back(backend->name);
  return names;
}

/// A burst engine for each of them.
inline std::deque<Burst>& all_engines() {
  static std::deque<Burst> engines;
  if (engines.empty()) {
    for (const std::string& name : all_choices()) engines.emplace_back(*BackendChoice::named(name).choice);
  }
  return engines;
}

/// Runs `load` on each of them, whole.
inline void expect_right_on_all(Load& load, const std::string& what) {
  fpu::Context fpu;
  for (Burst& burst : all_engines()) {
    load.clear_icvs();
    burst.start(load.jobs());
    ASSERT_EQ(burst.run(fpu), Outcome::kDone);
    load.expect_right(burst.choice().name() + ", " + what);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace gate96::hmac
