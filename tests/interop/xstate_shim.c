// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into user-mode Linux. Its kernel 6.1 keeps a process's vector registers in a buffer of fixed
// size. On a CPU whose XSAVE area is larger (AMX adds 8 KB) PTRACE_SETREGSET refuses the short buffer and the
// guest dies at its first process. So: read the whole area, lay the short buffer over its beginning, and
// write the whole one.
#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

enum { kXstateBvOffset = 512, kMaxArea = 65536 };

typedef long PtraceFunction(long request, pid_t pid, void* address, void* data);

// The state components that lie wholly within the first `len` bytes of the area (x87 and SSE always do).
static uint64_t components_within(size_t len) {
  uint64_t mask = 3;
  for (unsigned i = 2; i < 63; i++) {
    unsigned size, offset, flags, unused;
    if (__get_cpuid_count(0xd, i, &size, &offset, &flags, &unused) && size != 0 && (flags & 1) == 0 &&
        offset + size <= len)
      mask |= 1ull << i;
  }
  return mask;
}

static long set_xstate(PtraceFunction* next, pid_t pid, const struct iovec* part) {
  static uint8_t area[kMaxArea] __attribute__((aligned(64)));
  struct iovec whole = {area, sizeof area};
  if (next(PTRACE_GETREGSET, pid, (void*)NT_X86_XSTATE, &whole) < 0) return -1;
  if (part->iov_len >= whole.iov_len) return next(PTRACE_SETREGSET, pid, (void*)NT_X86_XSTATE, (void*)part);

  uint64_t beyond, within, mask = components_within(part->iov_len);
  memcpy(&beyond, area + kXstateBvOffset, sizeof beyond);
  memcpy(area, part->iov_base, part->iov_len);
  memcpy(&within, area + kXstateBvOffset, sizeof within);
  within = (within & mask) | (beyond & ~mask);
  memcpy(area + kXstateBvOffset, &within, sizeof within);
  return next(PTRACE_SETREGSET, pid, (void*)NT_X86_XSTATE, &whole);
}

long ptrace(enum __ptrace_request request, ...) {
  static PtraceFunction* next;
  if (next == NULL) next = (PtraceFunction*)dlsym(RTLD_NEXT, "ptrace");

  va_list list;
  va_start(list, request);
  pid_t pid = va_arg(list, pid_t);
  void* address = va_arg(list, void*);
  void* data = va_arg(list, void*);
  va_end(list);

  if (request == PTRACE_SETREGSET && (uintptr_t)address == NT_X86_XSTATE) return set_xstate(next, pid, data);
  return next(request, pid, address, data);
}
