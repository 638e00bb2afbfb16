// SPDX-License-Identifier: BSD-3-Clause
// Run with xstate_shim preloaded: writes a stopped child's vector registers back from a buffer that is too
// short for this CPU, as user-mode Linux does on a CPU with AMX. Without the shim the kernel refuses the
// call.
#include <elf.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kShort = 576, kXmm0Offset = 160 };  // legacy area and XSAVE header only; the AVX halves are cut off

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    _exit(0);
  }
  waitpid(child, NULL, 0);

  static uint8_t area[kShort], again[kShort];
  struct iovec part = {area, sizeof area}, check = {again, sizeof again};
  int ok = ptrace(PTRACE_GETREGSET, child, (void*)NT_X86_XSTATE, &part) == 0;
  memset(area + kXmm0Offset, 0x5a, 16);
  area[512] |= 3;  // XSTATE_BV: x87 and SSE are in use
  ok = ok && ptrace(PTRACE_SETREGSET, child, (void*)NT_X86_XSTATE, &part) == 0;
  if (!ok) perror("PTRACE_SETREGSET from a short buffer");
  ok = ok && ptrace(PTRACE_GETREGSET, child, (void*)NT_X86_XSTATE, &check) == 0;
  ok = ok && memcmp(again + kXmm0Offset, area + kXmm0Offset, 16) == 0;

  ptrace(PTRACE_KILL, child, NULL, NULL);
  waitpid(child, NULL, 0);
  return ok ? 0 : 1;
}
