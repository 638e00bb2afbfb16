// SPDX-License-Identifier: BSD-3-Clause
// How the kernel spreads an interface's frames over the workers' rings. DPDK's af_packet driver asks for a
// hash, which is right, and for two things more. The linker sends its setsockopt() here (--wrap), where they
// are left out:
// - to put IPv4 fragments together first. A ring's slots hold no more than a frame of the MTU, so that such
//   datagrams would come cut off. Fragments of one datagram still meet in one queue: the kernel's hash of any
//   fragment is over addresses alone;
// - to use another worker's ring when one is full. What lies there overtakes all that waits in the full one,
//   and is too old for a replay window then. Lost is better, and is counted.
#include <linux/if_packet.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstring>

namespace {

constexpr std::uint32_t kUnwanted = std::uint32_t{PACKET_FANOUT_FLAG_DEFRAG | PACKET_FANOUT_FLAG_ROLLOVER}
                                    << 16;

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the linker's
extern "C" int __real_setsockopt(int fd, int level, int option, const void* value, socklen_t len);

extern "C" int __wrap_setsockopt(int fd, int level, int option, const void* value, socklen_t len) {
  std::uint32_t fanout = 0;
  if (level != SOL_PACKET || option != PACKET_FANOUT || len != sizeof fanout)
    return __real_setsockopt(fd, level, option, value, len);
  std::memcpy(&fanout, value, sizeof fanout);
  fanout &= ~kUnwanted;
  return __real_setsockopt(fd, level, option, &fanout, len);
}
// NOLINTEND(bugprone-reserved-identifier)
