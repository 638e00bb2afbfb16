// SPDX-License-Identifier: BSD-3-Clause
// DPDK's af_packet driver asks the kernel to put IPv4 fragments together before they enter the ring, whose
// slots hold no more than a frame of the MTU: such datagrams would come cut off. The linker sends its
// setsockopt() here (--wrap), where that wish is left out. Fragments of one datagram still meet in one queue:
// the kernel's hash of any fragment is over addresses alone.
#include <linux/if_packet.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstring>

namespace {

constexpr std::uint32_t kDefrag = std::uint32_t{PACKET_FANOUT_FLAG_DEFRAG} << 16;

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the linker's
extern "C" int __real_setsockopt(int fd, int level, int option, const void* value, socklen_t len);

extern "C" int __wrap_setsockopt(int fd, int level, int option, const void* value, socklen_t len) {
  std::uint32_t fanout = 0;
  if (level != SOL_PACKET || option != PACKET_FANOUT || len != sizeof fanout)
    return __real_setsockopt(fd, level, option, value, len);
  std::memcpy(&fanout, value, sizeof fanout);
  fanout &= ~kDefrag;
  return __real_setsockopt(fd, level, option, &fanout, len);
}
// NOLINTEND(bugprone-reserved-identifier)
