// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/path_pairs.h"

#include <pthread.h>
#include <rte_lcore.h>
#include <rte_pause.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "tools/bench/clock.h"
#include "tools/bench/measure.h"

namespace gate96::bench {
namespace {

constexpr std::size_t kBursts = 128;  // of a shot and worker: short, to fit between disturbances

/// A CPU for each thread but this one, which has its own.
std::vector<int> other_cpus(std::size_t num) {
  std::vector<int> cpus;
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  for (int cpu = 0; cpu < online && cpus.size() < num; ++cpu) {
    if (cpu != sched_getcpu()) cpus.push_back(cpu);
  }
  if (cpus.size() < num) throw std::runtime_error("--workers: there are fewer CPUs than workers");
  return cpus;
}

/// The other workers' threads. Each runs its bursts whenever it is told to.
class Team {
 public:
  explicit Team(PathRig& rig) : rig_(rig) {
    const std::vector<int> cpus = other_cpus(rig.load().workers - 1);
    for (unsigned worker = 1; worker < rig.load().workers; ++worker) {
      threads_.emplace_back([this, worker, cpu = cpus[worker - 1]] { work(worker, cpu); });
    }
    while (ready_.load() < threads_.size()) rte_pause();
  }
  ~Team() {
    stop_ = true;
    ++shot_;
    for (std::thread& thread : threads_) thread.join();
  }

  /// TSC ticks until all are through with their bursts.
  double run() {
    done_ = 0;
    const std::uint64_t start = read_tsc();
    ++shot_;
    rig_.run(kBursts, 0);
    while (done_.load(std::memory_order_acquire) < threads_.size()) rte_pause();
    return static_cast<double>(read_tsc() - start);
  }

  /// Of all threads, this one included.
  [[nodiscard]] long preempted() const { return preempted_.load() + times_preempted(); }

 private:
  void work(unsigned worker, int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    rte_thread_register();  // a share of the mempool's cache
    ++ready_;
    for (std::uint64_t seen = 0;;) {
      while (shot_.load(std::memory_order_acquire) == seen) rte_pause();
      ++seen;
      if (stop_) break;
      const long before = times_preempted();
      rig_.run(kBursts, worker);
      preempted_ += times_preempted() - before;
      ++done_;
    }
    rte_thread_unregister();
  }

  PathRig& rig_;
  std::atomic<std::uint64_t> shot_{0};
  std::atomic<std::size_t> ready_{0};
  std::atomic<std::size_t> done_{0};
  std::atomic<long> preempted_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

/// As many quiet rounds as wanted, or as many as there were in the time.
class Deadline {
 public:
  explicit Deadline(const Limits& limits)
      : rounds_(4 * limits.samples),
        end_(read_tsc() + static_cast<std::uint64_t>(limits.max_seconds * tsc_hz())) {}
  [[nodiscard]] bool over(std::size_t rounds) const {
    return rounds >= rounds_ || (rounds > 0 && read_tsc() > end_);
  }

 private:
  std::size_t rounds_;
  std::uint64_t end_;
};

double time_alone(PathRig& rig) {
  const std::uint64_t start = read_tsc();
  rig.run(kBursts);
  return static_cast<double>(read_tsc() - start);
}

}  // namespace

Paired judge_pairs(std::vector<double> ratios) {
  std::sort(ratios.begin(), ratios.end());
  const auto n = static_cast<double>(ratios.size());
  const double reach = 0.98 * std::sqrt(n);  // ranks around the median: 1.96 standard deviations of B(n, 1/2)
  auto at = [&](double rank) { return ratios[static_cast<std::size_t>(std::clamp(rank, 0.0, n - 1))]; };
  return {summarise(ratios), at(std::floor(n / 2 - reach)), at(std::ceil(n / 2 + reach))};
}

TeamResult measure_team(rte_mempool* pool, PathLoad load, unsigned workers, const Limits& limits) {
  PathRig alone(pool, load);
  load.workers = workers;
  PathRig rig(pool, load);
  Team team(rig);
  const double packets = static_cast<double>(kBursts) * load.burst;
  std::vector<double> one, all, ratios;
  const Deadline deadline(limits);
  while (!deadline.over(ratios.size())) {
    const long before = team.preempted();
    const double a = time_alone(alone);
    const double b = team.run() + team.run();
    const double c = time_alone(alone);
    if (team.preempted() != before) continue;
    one.push_back((a + c) / 2 / packets);
    all.push_back(b / 2 / packets / workers);
    ratios.push_back(one.back() / all.back());
  }
  if (alone.num_dropped() + rig.num_dropped() > 0) throw std::runtime_error("packets were dropped");
  return {summarise(all), summarise(one), judge_pairs(ratios)};
}

Paired measure_fpu_stage(PathRig& rig, const Limits& limits) {
  auto without_stage = [&rig] {
    const std::uint64_t start = read_tsc();
    rig.run_without_fpu(kBursts);
    return static_cast<double>(read_tsc() - start);
  };
  std::vector<double> ratios;
  const Deadline deadline(limits);
  while (!deadline.over(ratios.size())) {
    const long before = times_preempted();
    double with = time_alone(rig);
    const double without = without_stage() + without_stage();
    with += time_alone(rig);
    if (times_preempted() == before) ratios.push_back(with / without);
  }
  if (rig.num_dropped() > 0) throw std::runtime_error("packets were dropped");
  return judge_pairs(ratios);
}

}  // namespace gate96::bench
