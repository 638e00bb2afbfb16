// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/advance.h"

#include <algorithm>

#include "hmac/driver.h"

namespace gate96::hmac {
namespace {

// AVX-512 rows have a driver of their own, where the CPU can run that too.
bool takes_wide_driver(const sha1::Backend& backend) {
#if defined(__x86_64__)
  return backend.lanes > 1 && backend.needs.has(sha1::Feature::kAvx512f) && wide_driver_usable();
#else
  (void)backend;
  return false;
#endif
}

}  // namespace

std::uint64_t advance(Work& work, const BackendChoice& choice, std::uint64_t max_blocks,
                      Telemetry& telemetry) {
  std::uint64_t absorbed = 0;
  if (work.jobs.size() == 1) absorbed = run_alone(work, choice, max_blocks, telemetry);
  if (absorbed > 0) return absorbed;
  const Length length = length_of(work);
  while (work.num_waiting() > 0 && absorbed < max_blocks) {
    const std::size_t num_streams = work.num_waiting();
    const std::size_t row =
        work.num_taken > 0 || work.equal_lengths
            ? choice.row(num_streams, length)
            : choice.row_for(num_streams, {work.num_blocks + num_streams, work.longest + 1}, length);
    Leg leg = {row,
               &sha1::backends()[row],
               max_blocks - absorbed,
               choice.floor(row, num_streams, length),
               &choice,
               length,
               &telemetry};
    const bool wide = takes_wide_driver(*leg.backend);
    const std::uint64_t alike = wide ? run_wide_alike(work, leg) : run_alike(work, leg);
    absorbed += alike;
    leg.max_blocks -= std::min(alike, leg.max_blocks);
    if (leg.max_blocks == 0 || work.num_waiting() <= leg.floor) continue;
    absorbed += wide ? run_wide(work, leg) : run_streams(work, leg);
#if defined(__x86_64__)
    if (work.wide.num_finished > 0) absorbed += finish_outer_hashes(work, leg, 1);
#endif
  }
  return absorbed;
}

}  // namespace gate96::hmac
