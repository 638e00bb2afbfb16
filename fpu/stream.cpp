// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/stream.h"

namespace gate96::fpu {

Stream::Stream(const Workload& workload, std::uint64_t seed, unsigned worker)
    : random_(Random(seed).next() + worker), live_(workload.live), in_section_(workload.in_section) {
  const std::array<double, kNumArrivalKinds> shares{workload.task, workload.ksoftirqd, workload.user,
                                                    workload.idle, workload.kernel};
  double sum = 0;
  for (std::size_t i = 0; i < kNumArrivalKinds; ++i) up_to_[i] = sum += shares[i];
}

Draw Stream::next() {
  const double at = random_.unit() * up_to_.back();
  std::size_t kind = 0;
  while (kind + 1 < kNumArrivalKinds && at >= up_to_[kind]) ++kind;
  Draw draw{.kind = static_cast<ArrivalKind>(kind), .live = false, .in_section = false, .section_left = 0};
  draw.live = random_.chance(live_);
  draw.in_section = random_.chance(in_section_) && draw.kind == ArrivalKind::kKernel;
  draw.section_left = random_.unit();
  return draw;
}

}  // namespace gate96::fpu
