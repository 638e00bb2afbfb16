// SPDX-License-Identifier: BSD-3-Clause
// Order and limits of deferral, as properties over random streams of packets and drains.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "fpu/deferral.h"

namespace gate96::fpu {
namespace {

constexpr unsigned kNumSas = 3;

struct Step {
  enum Kind { kPacket, kTake, kComplete, kHandBack } kind;
  unsigned sa;
  bool granted;
  bool atomic;
  unsigned pick;  // which of the requests in progress completes
};

rc::Gen<Step> any_step() {
  return rc::gen::construct<Step>(
      rc::gen::weightedElement<Step::Kind>(
          {{6, Step::kPacket}, {2, Step::kTake}, {4, Step::kComplete}, {2, Step::kHandBack}}),
      rc::gen::inRange(0u, kNumSas), rc::gen::arbitrary<bool>(), rc::gen::arbitrary<bool>(),
      rc::gen::inRange(0u, 1000u));
}

/// Plays a stream of steps; packets are numbered from 1 and their numbers are the handles.
class Player {
 public:
  explicit Player(const FpuConfig& config, unsigned backlog = 0)
      : config_(config), deferral_(config, {.backlog = backlog, .in_progress = 8}, counters_) {}

  void play(const std::vector<Step>& steps) {
    for (const Step& step : steps) play(step);
  }

  void play(const Step& step) {
    switch (step.kind) {
      case Step::kPacket:
        return packet(step);
      case Step::kTake:
        return take();
      case Step::kComplete:
        return complete(step.pick);
      case Step::kHandBack:
        return hand_back();
    }
  }

  void finish() {
    while (deferral_.num_held() > 0) {
      take();
      while (!in_progress_.empty()) complete(0);
      hand_back();
    }
  }

  /// Per SA, the numbers in the order in which they went out.
  const std::map<unsigned, std::vector<std::uint64_t>>& out() const { return out_; }
  const Counters& counters() const { return counters_; }
  std::size_t num_packets() const { return num_packets_; }
  std::size_t num_dropped() const { return num_dropped_; }
  std::size_t num_out() const { return num_out_; }
  Deferral& deferral() { return deferral_; }
  SaOrder& sa(unsigned index) { return sas_[index]; }

  /// Counted anew from what went out: packets that a later one of their SA has overtaken.
  std::uint64_t num_overtaken() const {
    std::uint64_t sum = 0;
    for (const auto& [sa, numbers] : out_) {
      std::uint64_t newest = 0;
      for (const std::uint64_t number : numbers) {
        if (number < newest) ++sum;
        newest = std::max(newest, number);
      }
    }
    return sum;
  }

 private:
  void went_out(unsigned sa, std::uint64_t number) {
    out_[sa].push_back(number);
    ++num_out_;
  }

  void packet(const Step& step) {
    const std::uint64_t number = ++num_packets_;
    sa_of_[number] = step.sa;
    if (deferral_.fate(sas_[step.sa], step.granted, step.atomic) == Fate::kInPlace) {
      RC_ASSERT(step.granted);
      deferral_.in_place(sas_[step.sa]);
      return went_out(step.sa, number);
    }
    const Admit admit = deferral_.defer(reinterpret_cast<void*>(number), sas_[step.sa]);
    if (admit == Admit::kQueueFull || admit == Admit::kBacklogFull) ++num_dropped_;
  }

  void take() {
    std::array<Taken, 64> taken;
    const std::size_t num = deferral_.take(taken);
    RC_ASSERT(num <= config_.defer_budget);
    for (std::size_t i = 0; i < num; ++i) in_progress_.push_back(taken[i].slot);
  }

  void complete(unsigned pick) {
    if (in_progress_.empty()) return;
    const auto at = in_progress_.begin() + pick % in_progress_.size();
    deferral_.complete(*at);
    in_progress_.erase(at);
  }

  void hand_back() {
    std::array<HandedBack, 4> back;
    while (const std::size_t num = deferral_.hand_back(back)) {
      for (std::size_t i = 0; i < num; ++i) {
        const auto number = reinterpret_cast<std::uintptr_t>(back[i].packet);
        RC_ASSERT(back[i].sa == &sas_[sa_of_[number]]);
        went_out(sa_of_[number], number);
      }
    }
  }

  FpuConfig config_;
  Counters counters_;
  Deferral deferral_;
  std::array<SaOrder, kNumSas> sas_;
  std::map<std::uint64_t, unsigned> sa_of_;
  std::deque<std::uint32_t> in_progress_;
  std::map<unsigned, std::vector<std::uint64_t>> out_;
  std::size_t num_packets_ = 0, num_dropped_ = 0, num_out_ = 0;
};

FpuConfig deferring(Order order, unsigned limit = 1000, unsigned budget = 4) {
  FpuConfig config;
  config.fallback = Fallback::kDefer;
  config.order = order;
  config.queue_limit = limit;
  config.defer_budget = budget;
  return config;
}

std::vector<Step> any_steps() {
  return *rc::gen::container<std::vector<Step>>(any_step());
}

RC_GTEST_PROP(Order, SaNeverReorders, ()) {
  Player player(deferring(Order::kSa));
  player.play(any_steps());
  player.finish();
  for (const auto& [sa, numbers] : player.out()) RC_ASSERT(std::is_sorted(numbers.begin(), numbers.end()));
  RC_ASSERT(player.counters().reordered.get() == 0u);
}

RC_GTEST_PROP(Order, KernelKeepsOrderInAtomicContext, ()) {
  Player player(deferring(Order::kKernel));
  std::vector<Step> steps = any_steps();
  for (Step& step : steps) step.atomic = true;
  player.play(steps);
  player.finish();
  RC_ASSERT(player.num_overtaken() == 0u);
}

RC_GTEST_PROP(Order, NoneNeverDefersWhatIsGranted, ()) {
  Player player(deferring(Order::kNone));
  const std::vector<Step> steps = any_steps();
  player.play(steps);
  const auto refused = std::count_if(steps.begin(), steps.end(),
                                     [](const Step& s) { return s.kind == Step::kPacket && !s.granted; });
  RC_ASSERT(player.counters().deferred.get() == static_cast<std::uint64_t>(refused));
}

RC_GTEST_PROP(Order, ReorderedIsCountedExactly, ()) {
  Player player(deferring(*rc::gen::element(Order::kSa, Order::kKernel, Order::kNone)));
  player.play(any_steps());
  player.finish();
  RC_ASSERT(player.counters().reordered.get() == player.num_overtaken());
}

RC_GTEST_PROP(Limits, EveryPacketGoesOutOnceOrIsDropped, ()) {
  FpuConfig config =
      deferring(*rc::gen::element(Order::kSa, Order::kKernel, Order::kNone), *rc::gen::inRange(1u, 6u));
  config.backlog = *rc::gen::arbitrary<bool>();
  Player player(config, 3);
  const std::vector<Step> steps = any_steps();
  for (const Step& step : steps) {
    player.play(step);
    RC_ASSERT(player.num_packets() == player.num_out() + player.num_dropped() + player.deferral().num_held());
    RC_ASSERT(player.deferral().num_waiting() <= config.queue_limit + (config.backlog ? 3 : 0));
  }
  player.finish();
  RC_ASSERT(player.num_packets() == player.num_out() + player.num_dropped());
  const Counters& counters = player.counters();
  RC_ASSERT(counters.overflow.get() + counters.backlog_overflow.get() == player.num_dropped());
  RC_ASSERT(counters.drained.get() == counters.deferred.get());
  for (unsigned i = 0; i < kNumSas; ++i) RC_ASSERT(player.sa(i).outstanding == 0u);
  for (const auto& [sa, numbers] : player.out()) {
    std::vector<std::uint64_t> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    RC_ASSERT(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  }
}

TEST(Order, NoneReordersAndCountsIt) {
  Player player(deferring(Order::kNone));
  player.play({{Step::kPacket, 0, false, true, 0},
               {Step::kPacket, 0, true, true, 0},
               {Step::kPacket, 1, true, true, 0}});
  player.finish();
  EXPECT_EQ(player.out().at(0), (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(player.counters().reordered.get(), 1u);
}

}  // namespace
}  // namespace gate96::fpu
