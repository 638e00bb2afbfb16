// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/gateway.h"

#include <fmt/format.h>
#include <rte_ethdev.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "dataplane/cli.h"
#include "dataplane/config_load.h"
#include "dataplane/control.h"
#include "dataplane/privileges.h"
#include "dataplane/reload.h"
#include "dataplane/signals.h"

namespace gate96 {
namespace {

std::vector<std::string> texts(const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics) lines.push_back(to_string(diagnostic));
  return lines;
}

int run_lcore(void* lcore) {
  drop_capabilities();
  static_cast<Lcore*>(lcore)->run();
  return 0;
}

}  // namespace

Gateway::Gateway(const Config& config, MissingState missing)
    : config_(config),
      state_(config.gateway.state_file.empty()
                 ? nullptr
                 : std::make_unique<StateKeeper>(state_path(config), missing, main_events_)),
      eal_(config),
      pool_(make_packet_pool(config)),
      rcu_(config.gateway.workers) {
  for (unsigned i = 0; i < config.ports.size(); ++i) {
    ports_.push_back(std::make_unique<Port>(config, i, config.gateway.workers, pool_));
    infos_.push_back(ports_.back()->info());
  }
  tables_ = std::make_unique<const Tables>(config, infos_);
  if (state_) state_->adopt(tables_->sas);
  in_force_ = tables_.get();
  if (config.gateway.workers > 1) handover_ = std::make_unique<Handover>(config.gateway.workers);
  if (config.fpu.fallback == fpu::Fallback::kDefer && config.fpu.defer_to == fpu::DeferTo::kLcores) {
    exchange_ = std::make_unique<IcvExchange>(config.gateway.workers);
  }
  for (unsigned worker = 0; worker < config.gateway.workers; ++worker) {
    lcores_.push_back(std::make_unique<Lcore>(config_, ports_, infos_, pool_, worker, handover_.get(),
                                              exchange_.get(), rcu_, in_force_, stop_));
  }
}

Gateway::~Gateway() {
  stop_workers();
  lcores_.clear();
  exchange_.reset();
  handover_.reset();
  tables_.reset();
  ports_.clear();
}

void Gateway::start_workers() {
  std::vector<unsigned> lcore_ids;
  unsigned lcore_id = 0;
  RTE_LCORE_FOREACH_WORKER(lcore_id) {
    lcore_ids.push_back(lcore_id);
  }
  // Before the first is launched: workers that stop wait for each other.
  if (lcore_ids.size() < lcores_.size()) {
    throw std::runtime_error(fmt::format("gateway.workers = {}: DPDK gives {} worker lcores; check eal.extra",
                                         lcores_.size(), lcore_ids.size()));
  }
  if (state_) state_->start();
  for (std::size_t i = 0; i < lcores_.size(); ++i) {
    if (rte_eal_remote_launch(run_lcore, lcores_[i].get(), lcore_ids[i]) == 0) continue;
    fmt::print(stderr, "gate96: lcore {} runs something else already\n", lcore_ids[i]);
    std::abort();
  }
}

void Gateway::stop_workers() {
  if (stop_.exchange(true)) return;
  rte_eal_mp_wait_lcore();
  if (state_) state_->finish();
}

void Gateway::housekeep() {
  events_.collect(main_events_);
  for (const auto& lcore : lcores_) events_.collect(lcore->events());
}

Gateway::Reloaded Gateway::reload(const std::string& file) {
  const std::string& path = file.empty() ? config_.file : file;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    return {kBadConfig, {path + ": must be a plain file; the gateway would wait for others"}};
  }
  Result<Config> next = load_config(path);
  Reloaded result;
  auto refuse = [&](const Diagnostics& why) {
    result.exit_code = kBadConfig;
    result.messages = texts(why);
    return result;
  };
  if (!next) return refuse(next.diagnostics());
  set_simd_off_rate(*next, config_.simd_off_rate);
  if (const Diagnostics why = changes_that_need_a_restart(config_, *next); !why.empty()) return refuse(why);
  result.messages = texts(next.diagnostics());
  try {
    const Predecessor old{config_, *tables_};
    auto tables = std::make_unique<const Tables>(*next, infos_, &old);
    result.num_kept = tables->num_kept;
    if (state_) state_->adopt(tables->sas);
    put_in_force(std::move(tables));
  } catch (const std::exception& failure) {
    return {kRuntimeError, {failure.what()}};
  }
  config_ = std::move(next).value();
  return result;
}

void Gateway::put_in_force(std::unique_ptr<const Tables> tables) {
  in_force_.store(tables.get(), std::memory_order_release);
  rcu_.wait_for_readers();
  constexpr timespec kPause = {0, 50'000};
  for (const auto& lcore : lcores_) {
    while (lcore->generation() != tables->generation) nanosleep(&kPause, nullptr);
  }
  tables_ = std::move(tables);
}

int run_gateway(const Config& config, const RunOptions& options) {
  const Signals signals;  // blocked before any thread is made, so that all threads inherit it
  try {
    Instance instance(config.gateway.control);
    Gateway gateway(config, options.missing);
    gateway.housekeep();
    gateway.start_workers();
    ControlServer server(instance, gateway);
    if (!options.quiet) {
      // Packets go on, whether or not someone reads this.
      dprintf(STDOUT_FILENO, "%s",
              fmt::format("gate96 {}: {} ports, {} workers; `gate96 show counters --control {}`\n",
                          config.gateway.name, gateway.ports().size(), config.gateway.workers,
                          config.gateway.control)
                  .c_str());
    }
    server.serve(signals);
    gateway.stop_workers();
    gateway.housekeep();
    return kOk;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "gate96: {}\n", failure.what());
    return kRuntimeError;
  }
}

}  // namespace gate96
