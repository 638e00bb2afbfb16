// SPDX-License-Identifier: BSD-3-Clause
// Backends beside the OpenSSL tiers of their instruction sets: the contenders of a row, and the rows they
// give.
#pragma once

#include <string>
#include <vector>

#include "tools/bench/subject.h"

namespace gate96::bench {

/// Those that some of `backends` is to be compared with, slow to fast; none without OpenSSL.
std::vector<Tier> rivals_of(const Backends& backends);

/// `make` gives the contender of a backend and of a tier.
template <typename Make>
std::vector<Contender> with_rivals(const Backends& backends, Make&& make) {
  std::vector<Contender> contenders;
  for (const sha1::Backend* backend : backends) contenders.push_back(make(*backend));
  for (Tier tier : rivals_of(backends)) contenders.push_back(make(tier));
  return contenders;
}

/// Of the contender called `name`, which must be there.
const Measured& figures_of(const std::vector<Measured>& all, const std::string& name);

/// A row a backend, without a rival if there is no OpenSSL, from the figures of contenders made by
/// with_rivals().
std::vector<Row> against_openssl(const std::string& bench, const Backends& backends, std::size_t size,
                                 const std::vector<Measured>& all);

}  // namespace gate96::bench
