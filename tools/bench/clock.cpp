// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/clock.h"

#include <cpuid.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace gate96::bench {
namespace {

void run_rol_chain() {
  std::uint32_t value = 1;
  std::uint32_t rounds = kRolSteps / 64;
  asm volatile(
      "1:\n\t"
      ".rept 64\n\t"
      "roll $7, %[value]\n\t"
      ".endr\n\t"
      "decl %[rounds]\n\t"
      "jnz 1b"
      : [value] "+r"(value), [rounds] "+r"(rounds)
      :
      : "cc");
}

double now_seconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double measure_tsc_hz() {
  const double start = now_seconds();
  const std::uint64_t start_ticks = read_tsc();
  double end = start;
  while (end - start < 0.02) end = now_seconds();
  return static_cast<double>(read_tsc() - start_ticks) / (end - start);
}

}  // namespace

std::uint64_t read_tsc_cost() {
  static const std::uint64_t cost = [] {
    std::uint64_t least = UINT64_MAX;
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t start = read_tsc();
      least = std::min(least, read_tsc() - start);
    }
    return least;
  }();
  return cost;
}

std::uint64_t time_rol_chain() {
  const std::uint64_t start = read_tsc();
  run_rol_chain();
  return read_tsc() - start - read_tsc_cost();
}

double tsc_hz() {
  static const double hz = measure_tsc_hz();
  return hz;
}

int pin_to_cpu(int cpu) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) throw std::system_error(errno, std::generic_category());
  for (int i = 0; cpu < 0 && i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(CPU_SETSIZE - 1 - i, &set)) cpu = CPU_SETSIZE - 1 - i;
  }
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    throw std::system_error(errno, std::generic_category(), "--cpu " + std::to_string(cpu));
  }
  return cpu;
}

std::string cpu_name() {
  std::array<unsigned, 12> brand{};
  for (unsigned leaf = 0; leaf < 3; ++leaf) {
    unsigned* words = &brand[std::size_t{4} * leaf];
    if (!__get_cpuid(0x80000002u + leaf, &words[0], &words[1], &words[2], &words[3])) return "unknown";
  }
  std::array<char, sizeof brand + 1> text{};
  std::memcpy(text.data(), brand.data(), sizeof brand);
  return text.data();
}

PerfCycles::PerfCycles() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_CPU_CYCLES;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  fd_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

PerfCycles::~PerfCycles() {
  if (fd_ >= 0) close(fd_);
}

std::uint64_t PerfCycles::read() const {
  std::uint64_t cycles = 0;
  if (::read(fd_, &cycles, sizeof cycles) != static_cast<ssize_t>(sizeof cycles)) {
    throw std::system_error(errno, std::generic_category(), "perf_event");
  }
  return cycles;
}

}  // namespace gate96::bench
