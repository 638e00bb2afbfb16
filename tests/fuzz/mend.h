// SPDX-License-Identifier: BSD-3-Clause
// Makes what a fuzzer has changed pass the checks that no chance passes, so that it reaches what lies behind
// them.
#pragma once

#include "tests/dataplane/site.h"

namespace gate96 {

/// In an Ethernet frame of any content, as far as it is there: the sums of IPv4 headers (of a tunnel's inside
/// too) and of ICMP, and the ICV of ESP (in UDP to port 4500 too) under kSiteConfig's key. `seq`, if not 0,
/// becomes ESP's number.
void mend(Bytes& frame, std::uint32_t seq);

/// Makes the frame's datagram `len` bytes long, with its IP length and zeroes behind what was there.
void grow(Bytes& frame, std::size_t len);

}  // namespace gate96
