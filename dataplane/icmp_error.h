// SPDX-License-Identifier: BSD-3-Clause
// ICMP and ICMPv6 errors about packets that could not be forwarded (RFC 792, RFC 1812 4.3.2, RFC 4443 2.4,
// 3).
#pragma once

#include "dataplane/context.h"

namespace gate96::icmp_error {

enum class Kind : std::uint8_t { kTooBig, kTimeExceeded };

/// What bounds the errors that one worker sends: a bucket of tokens filled by time (RFC 4443 2.4 f).
class Limiter {
 public:
  static constexpr std::uint64_t kPerSecond = 100;
  static constexpr std::uint64_t kBurst = 50;
  [[nodiscard]] bool allow(std::uint64_t now_ms);

 private:
  std::uint64_t millitokens_ = kBurst * 1000;
  std::uint64_t last_ms_ = 0;
};

/// Ends `m` as `verdict` after telling its sender why, if an error about it may be sent: never about ICMP
/// errors, later fragments, multicast or broadcast, or a source that is no host's; and within the limit.
/// `mtu`: for kTooBig, what would have fitted. The error goes back through the port that the packet came in
/// by: within the protected side it does not cross the IPsec boundary and asks no policy; on the unprotected
/// side the SPD is asked, as for all that the gateway originates. On a wire, which has no address, it bears
/// the address that was not reached.
void reject(Context& context, rte_mbuf* m, Verdict verdict, Kind kind, unsigned mtu = 0);

}  // namespace gate96::icmp_error
