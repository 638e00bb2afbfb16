// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/privileges.h"

#include <fmt/format.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace gate96 {
namespace {

// LeakSanitizer attaches to its own process as a debugger does.
#if defined(__SANITIZE_ADDRESS__)
constexpr unsigned long kDumpable = 1;
#else
constexpr unsigned long kDumpable = 0;
#endif

void check(int result, const char* what) {
  if (result != 0) throw std::runtime_error(fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

struct Free {
  void operator()(cap_t capabilities) const { cap_free(capabilities); }
};

}  // namespace

void seal_process() {
  constexpr rlimit kNone = {0, 0};
  check(setrlimit(RLIMIT_CORE, &kNone), "keep the process from writing core files");
  check(prctl(PR_SET_DUMPABLE, kDumpable, 0, 0, 0), "keep the process from being dumped");
  check(prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0, 0, 0), "give up new privileges");
}

void drop_capabilities() {
  const std::unique_ptr<std::remove_pointer_t<cap_t>, Free> none(cap_init());
  check(none == nullptr ? -1 : cap_set_proc(none.get()), "drop a worker's capabilities");
}

}  // namespace gate96
