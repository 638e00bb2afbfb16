// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/state_keeper.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <unordered_map>

#include "dataplane/sa.h"

namespace gate96 {
namespace {

using namespace std::chrono_literals;

constexpr auto kPeriod = 5ms;
constexpr std::uint64_t kRetryMs = 1000;       // after a failure to write
constexpr std::uint64_t kCalmMs = 4000;        // an SA that needs no more for so long gets less
constexpr std::uint64_t kMaxAhead = 1u << 24;  // of 2^32 numbers: a crash may cost so many
constexpr std::uint64_t kGrowth = 4;

std::uint64_t monotonic_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

std::uint64_t last_number(const Sa& sa) {
  return sa.esn ? kLastEsn : kLastSeq;
}

std::uint64_t least_ahead(bool inbound) {
  return inbound ? kInboundAhead : kOutboundAhead;
}

/// `ahead` numbers after `position`, but not beyond the SA's last.
std::uint64_t beyond(const Sa& sa, std::uint64_t position, std::uint64_t ahead) {
  const std::uint64_t last = last_number(sa);
  return position >= last || last - position < ahead ? last : position + ahead;
}

/// The highest number used so far, or asked for by the peer.
std::uint64_t position(const Sa& sa) {
  return std::max(sa.seq.get(), sa.seq_wanted.get());
}

/// Whether the record's number is no longer far enough ahead of `position`.
bool is_near(const StateRecord& record, std::uint64_t position, std::uint64_t ahead) {
  return record.number < position || record.number - position < ahead / 2;
}

std::string refusal(const std::string& path, Loaded loaded, const std::string& why) {
  return fmt::format(
      "state file {}: {}. Without it the sequence numbers of static keys would begin again: peers would drop "
      "our packets, and old ones from a capture would be accepted. {}, or change the keys; `gate96 run "
      "--accept-sequence-reuse CONFIG` goes on all the same",
      path, why,
      loaded == Loaded::kMissing ? "If these keys have never been used, run `gate96 state init CONFIG` once"
                                 : "Restore the file as it was at the last stop (no older copy)");
}

}  // namespace

StateKeeper::StateKeeper(std::string path, MissingState missing, EventLog& log)
    : path_(std::move(path)), lock_(path_ + ".lock"), log_(log) {
  if (!lock_.held()) {
    throw std::runtime_error(
        lock_.error() == EWOULDBLOCK
            ? fmt::format("state file {}: another gate96 uses it; give each its own gateway.state_file",
                          path_)
            : fmt::format("state file: {}: {}", lock_.path(), std::strerror(lock_.error())));
  }
  std::string why;
  const Loaded loaded = load(path_, state_, why);
  if (loaded == Loaded::kGood) return;
  if (missing == MissingState::kRefuse) throw std::runtime_error(refusal(path_, loaded, why));
  log_.state_file(fmt::format("{}: {}; numbers begin again at seq_start, as asked", path_, why));
  state_ = State{};
}

StateKeeper::~StateKeeper() {
  stop_thread();
}

StateKeeper::Kept StateKeeper::resume(const std::shared_ptr<Sa>& sa) const {
  const bool inbound = sa->direction == Direction::kIn;
  Kept kept{sa, state_identity(*sa), inbound, least_ahead(inbound), 0};
  const auto found = state_.records.find(kept.identity);
  if (found == state_.records.end()) return kept;  // never used before: begins at seq_start
  const StateRecord& record = found->second;
  if (record.number < sa->seq.get()) return kept;  // seq_start is beyond it
  if (!inbound) {
    sa->last_seq = std::min(record.number, last_number(*sa));  // it may have had ESN when it was saved
  } else if (!state_.stopped || !sa->window.restore(record.number, record.words)) {
    sa->window.start_above(record.number);
  }
  sa->seq.set(record.number);
  return kept;
}

void StateKeeper::adopt(const std::vector<std::shared_ptr<Sa>>& sas) {
  const std::lock_guard lock(mutex_);
  std::unordered_map<std::string_view, const Kept*> before;
  for (const Kept& k : kept_) before.emplace(k.identity, &k);
  State next = state_;
  next.stopped = false;
  for (auto& [identity, record] : next.records) record.words.clear();
  std::vector<Kept> kept;
  for (const auto& sa : sas) {
    if (sa->direction == Direction::kIn && sa->window.size() == 0)
      continue;  // no replay check, nothing to keep
    const std::string identity = state_identity(*sa);
    const auto known = before.find(identity);
    kept.push_back(known != before.end() ? *known->second : resume(sa));
    Kept& k = kept.back();
    const std::uint64_t at = position(*k.sa);  // of a known one: where `sa` will go on
    k.sa = sa;
    StateRecord& record = next.records[identity];
    if (is_near(record, at, k.ahead)) record.number = std::max(record.number, beyond(*sa, at, k.ahead));
  }
  if (const std::string why = save(path_, next); !why.empty())
    throw std::runtime_error(fmt::format("state file: {}", why));
  state_ = std::move(next);
  kept_ = std::move(kept);
  publish();
}

void StateKeeper::publish() {
  for (const Kept& kept : kept_) {
    kept.sa->seq_limit.store(state_.records[kept.identity].number, std::memory_order_release);
  }
}

/// Writes the record of an SA whose limit should move; true if it must, and cannot wait.
bool StateKeeper::plan(Kept& kept, std::uint64_t now_ms) {
  StateRecord& record = state_.records[kept.identity];
  const std::uint64_t at = position(*kept.sa);
  if (!is_near(record, at, kept.ahead) || record.number == last_number(*kept.sa)) {
    if (now_ms - kept.moved_ms > kCalmMs && kept.ahead > least_ahead(kept.inbound)) {
      kept.ahead /= 2;
      kept.moved_ms = now_ms;
    }
    return false;
  }
  if (now_ms - kept.moved_ms < kCalmMs / kGrowth) kept.ahead = std::min(kept.ahead * kGrowth, kMaxAhead);
  kept.moved_ms = now_ms;
  record.number = beyond(*kept.sa, at, kept.ahead);
  return true;
}

bool StateKeeper::step(std::uint64_t now_ms) {
  const std::lock_guard lock(mutex_);
  if (now_ms < retry_ms_) return false;
  bool due = !trouble_.empty();
  for (Kept& kept : kept_) due |= plan(kept, now_ms);
  if (!due) return true;
  const std::string why = save(path_, state_);
  if (why != trouble_) {
    log_.state_file(why.empty() ? "written again" : why + "; SAs stop at the numbers that are saved");
    trouble_ = why;
  }
  if (!why.empty()) {
    retry_ms_ = now_ms + kRetryMs;
    return false;
  }
  publish();
  return true;
}

void StateKeeper::start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "gate96-state");
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, kPeriod, [this] { return stopping_; })) {
      lock.unlock();
      static_cast<void>(step(monotonic_ms()));
      lock.lock();
    }
  });
}

void StateKeeper::stop_thread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StateKeeper::finish() {
  stop_thread();
  State last = state_;
  last.stopped = true;
  for (const Kept& kept : kept_) {
    StateRecord& record = last.records[kept.identity];
    if (kept.inbound) {
      record.number = kept.sa->window.top();
      record.words.assign(kept.sa->window.words().begin(), kept.sa->window.words().end());
    } else {
      record.number = kept.sa->last_seq;
    }
  }
  if (const std::string why = save(path_, last); !why.empty()) log_.state_file(why);
}

std::string state_path(const Config& config) {
  return (std::filesystem::path(config.file).parent_path() / config.gateway.state_file).string();
}

std::string init_state(const std::string& path) {
  State state;
  std::string why;
  if (load(path, state, why) != Loaded::kMissing)
    return fmt::format("state file {}: is there already; it stays as it is", path);
  return save(path, State{.stopped = true, .records = {}});
}

}  // namespace gate96
