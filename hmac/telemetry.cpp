// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/telemetry.h"

namespace gate96::hmac {

std::uint64_t Telemetry::blocks(std::size_t backend) const {
  std::uint64_t sum = 0;
  for (std::size_t lanes = 1; lanes <= sha1::kMaxLanes; ++lanes) sum += lanes * steps(backend, lanes);
  return sum;
}

std::uint64_t Telemetry::wasted(std::size_t backend, std::size_t num_lanes) const {
  std::uint64_t sum = 0;
  for (std::size_t lanes = 1; lanes <= num_lanes; ++lanes) sum += (num_lanes - lanes) * steps(backend, lanes);
  return sum;
}

}  // namespace gate96::hmac
