// SPDX-License-Identifier: BSD-3-Clause
// What a worker tells the crypto layer about vector registers: may I, I begin, I end.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "fpu/components.h"
#include "fpu/counters.h"
#include "fpu/profile.h"

namespace gate96::fpu {

struct FpuConfig;
class World;

/// One worker's view of its CPU under a kernel's FPU policy. One worker, one context; only counters() may be
/// read from another thread, and only set_simd_disabled() may be called from one.
///
/// A worker calls, for each receive burst: arrive(), then ask() and a Section as often as `ask` in the
/// configuration says, then depart(); in between bursts drain_begin(), ask(), a Section, drain_end() for what
/// it has deferred. Under profile `always` all of that is a test and a count.
class Context {
 public:
  /// Profile `always`: every ask is granted and a section costs nothing.
  Context();
  /// Precondition: check(config) is empty. Workers with different numbers see different streams of arrivals.
  explicit Context(const FpuConfig& config, unsigned worker = 0);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// True if vector registers may be used now, for work of `num_bytes`. A yes holds until the section that
  /// follows has ended.
  [[nodiscard]] bool ask(std::size_t num_bytes = SIZE_MAX) {
    counters_.asks.add(1);
    if (!world_ && num_bytes >= scalar_below_ && !simd_disabled_.load(std::memory_order_relaxed)) return true;
    return ask_world(num_bytes);
  }

  /// Bytes after which a section must be closed; SIZE_MAX means no limit.
  [[nodiscard]] std::size_t section_bytes() const { return section_bytes_; }

  void begin() {
    counters_.sections.add(1);
    if (world_) begin_world();
  }
  /// `num_bytes`: message bytes hashed since begin().
  void end(std::size_t num_bytes) {
    counters_.simd_bytes.add(num_bytes);
    counters_.section_bytes_max.raise_to(num_bytes);
    if (world_) end_world();
  }

  /// Message bytes hashed without a section.
  void count_scalar(std::size_t num_bytes) { counters_.scalar_bytes.add(num_bytes); }

  /// A receive burst arrives: moves the modelled CPU to where it finds itself. May spin (linux-6.15, see
  /// README). `now_ns`: any steady clock; it only sets how many context switches are due. Then depart()
  /// before the next.
  void arrive(std::uint64_t now_ns) {
    if (world_) arrive_world(now_ns);
  }
  /// The same by the context's own clock.
  void arrive() {
    if (world_) arrive_world();
  }
  void depart() {
    if (world_) depart_world();
  }

  /// The switch to the kthread that works a queue off, and back. Not between arrive() and depart().
  void drain_begin() {
    counters_.drains.add(1);
    if (world_) drain_begin_world();
  }
  void drain_end() {
    if (world_) drain_end_world();
  }

  /// The modelled CPU may not sleep here: it serves a softirq, or preemption is off. True without a model.
  [[nodiscard]] bool atomic() const { return !world_ || atomic_world(); }

  /// What a section dirties: for save_components = "backend", and for the halves of sparc64.
  void set_backend(Width width, Halves halves = Halves::kBoth);

  /// The kernel's crypto_simd_disabled_for_test: while on, every ask is refused.
  void set_simd_disabled(bool disabled) { simd_disabled_.store(disabled, std::memory_order_relaxed); }

  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] Counters& counters() { return counters_; }
  /// The model behind it; nullptr under plain `always`.
  [[nodiscard]] const World* world() const { return world_.get(); }

 private:
  [[nodiscard]] bool ask_world(std::size_t num_bytes);
  void begin_world();
  void end_world();
  void arrive_world(std::uint64_t now_ns);
  void arrive_world();
  void depart_world();
  void drain_begin_world();
  void drain_end_world();
  [[nodiscard]] bool atomic_world() const;

  std::unique_ptr<World> world_;
  std::size_t section_bytes_ = SIZE_MAX;
  std::size_t scalar_below_ = 0;
  std::atomic<bool> simd_disabled_ = false;
  Counters counters_;
};

/// A section of vector code: begin() on construction, end() on destruction.
class Section {
 public:
  explicit Section(Context& context) : context_(context) { context_.begin(); }
  ~Section() { context_.end(num_bytes_); }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  void count(std::size_t num_bytes) { num_bytes_ += num_bytes; }

 private:
  Context& context_;
  std::size_t num_bytes_ = 0;
};

/// One receive burst: arrive() on construction, depart() on destruction.
class Arrival {
 public:
  explicit Arrival(Context& context) : context_(context) { context_.arrive(); }
  Arrival(Context& context, std::uint64_t now_ns) : context_(context) { context_.arrive(now_ns); }
  ~Arrival() { context_.depart(); }
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;

 private:
  Context& context_;
};

/// One drain of a queue of deferred work: the switch to a kthread, and back on destruction.
class Drain {
 public:
  explicit Drain(Context& context) : context_(context) { context_.drain_begin(); }
  ~Drain() { context_.drain_end(); }
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;

 private:
  Context& context_;
};

}  // namespace gate96::fpu
