// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/advance.h"

#include "hmac/driver.h"

namespace gate96::hmac {

std::uint64_t advance(Work& work, const BackendChoice& choice, std::uint64_t max_blocks,
                      Telemetry& telemetry) {
  const std::uint64_t blocks_per_message = work.jobs.empty() ? 0 : work.num_blocks / work.jobs.size();
  std::uint64_t absorbed = 0;
  while (work.num_waiting() > 0 && absorbed < max_blocks) {
    const std::size_t num_streams = work.num_waiting();
    const std::size_t row = choice.row(num_streams, blocks_per_message);
    const Leg leg = {&sha1::backends()[row], row, max_blocks - absorbed,
                     choice.floor(row, num_streams, blocks_per_message), &telemetry};
    absorbed += run_streams(work, leg);
  }
  return absorbed;
}

}  // namespace gate96::hmac
