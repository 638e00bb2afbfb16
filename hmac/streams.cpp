// SPDX-License-Identifier: BSD-3-Clause
// The driver for few lanes. Each step absorbs as many blocks as the shortest run in a lane has, then gives
// every lane whose run is over its next run, its outer hash or its next message. The live lanes are always
// the first.
#include <algorithm>
#include <array>
#include <cstring>

#include "hmac/driver.h"
#include "sha1/wipe.h"

namespace gate96::hmac {
namespace {

class Streams {
 public:
  Streams(Work& work, const Leg& leg)
      : work_(work),
        leg_(leg),
        num_lanes_(leg.backend->lanes),
        row_(leg.row),
        backend_(leg.backend),
        lanes_(work.lanes) {
    lanes_.staged = lanes_.look_ahead = 0;
  }

  std::uint64_t run();

 private:
  struct Lane {
    std::uint32_t num_blocks;  // as in Run
    std::uint32_t then_blocks;
    std::uint32_t position;
    bool outer;
  };

  void fill();
  void fill_or_narrow();
  void load_stream(std::size_t lane);
  void open_message(std::size_t lane);
  void put_back_stream(std::size_t lane);
  std::uint64_t step(std::uint64_t max_blocks);
  bool can_finish_last(std::uint64_t max_blocks) const;
  std::uint64_t finish_last();
  void absorb(std::uint32_t num_blocks);
  bool renew(std::size_t lane);
  void drop(std::size_t lane);

  void set_run(std::size_t lane, const Run& run) {
    lanes_.next[lane] = run.next;
    lane_[lane].num_blocks = run.num_blocks;
    lane_[lane].then_blocks = run.then_blocks;
  }
  void set_state(std::size_t lane, const sha1::State& state) {
    for (std::size_t i = 0; i < sha1::kStateWords; ++i) lanes_.h[i][lane] = state.h[i];
  }
  sha1::State state(std::size_t lane) const {
    const auto& h = lanes_.h;
    const Words4 first = {h[0][lane], h[1][lane], h[2][lane], h[3][lane]};
    sha1::State state;
    std::memcpy(state.h.data(), &first, sizeof first);  // whole: see slot.h
    state.h[4] = h[4][lane];
    return state;
  }

  Work& work_;
  const Leg& leg_;
  const std::size_t num_lanes_;  // of the leg's backend, the most
  std::size_t row_;              // of the backend in use
  const sha1::Backend* backend_;
  std::size_t num_live_ = 0;
  std::array<Lane, sha1::kMaxLanes> lane_;
  sha1::LaneState& lanes_;
};

std::uint64_t Streams::run() {
  std::uint64_t absorbed = 0;
  fill();
  while (num_live_ > 0 && absorbed < leg_.max_blocks) {
    const std::uint64_t left = leg_.max_blocks - absorbed;
    absorbed += can_finish_last(left) ? finish_last() : step(left);
  }
  for (std::size_t lane = 0; lane < num_live_; ++lane) put_back_stream(lane);
  wipe_states(lanes_, num_lanes_);
  return absorbed;
}

void Streams::fill() {
  for (; num_live_ < num_lanes_ && work_.num_waiting() > 0; ++num_live_) {
    work_.num_begun > 0 ? load_stream(num_live_) : open_message(num_live_);
  }
}

void Streams::load_stream(std::size_t lane) {
  const std::size_t position = work_.begun[--work_.num_begun];
  const Stream& stream = work_.streams[position];
  set_run(lane, stream.run);
  lane_[lane].position = static_cast<std::uint32_t>(position);
  lane_[lane].outer = stream.outer;
  set_state(lane, stream.h);
}

void Streams::open_message(std::size_t lane) {
  const std::size_t position = work_.num_taken++;
  set_run(lane, open_run(work_, position));
  lane_[lane].position = static_cast<std::uint32_t>(position);
  lane_[lane].outer = false;
  set_state(lane, work_.job(position).key->inner());
}

void Streams::put_back_stream(std::size_t lane) {
  const Lane& from = lane_[lane];
  Stream& stream = work_.streams[from.position];
  stream.h = state(lane);
  stream.run = {lanes_.next[lane], from.num_blocks, from.then_blocks};
  stream.outer = from.outer;
  put_back(work_, from.position);
}

std::uint64_t Streams::step(std::uint64_t max_blocks) {
  std::uint32_t num_blocks = lane_[0].num_blocks;
  for (std::size_t lane = 1; lane < num_live_; ++lane)
    num_blocks = std::min(num_blocks, lane_[lane].num_blocks);
  if (max_blocks < num_blocks * num_live_) [[unlikely]] {
    num_blocks = static_cast<std::uint32_t>(std::max<std::uint64_t>(max_blocks / num_live_, 1));
  }
  const std::uint64_t absorbed = std::uint64_t{num_blocks} * num_live_;
  absorb(num_blocks);
  for (std::size_t lane = num_live_; lane-- > 0;) {
    if ((lane_[lane].num_blocks -= num_blocks) == 0 && !renew(lane)) drop(lane);
  }
  if (num_live_ < num_lanes_) fill_or_narrow();
  return absorbed;
}

// One stream is left and all its blocks are known: no need to go by steps.
bool Streams::can_finish_last(std::uint64_t max_blocks) const {
  if (num_live_ != 1 || backend_->lanes != 1 || work_.num_waiting() > 0) return false;
  const Lane& last = lane_[0];
  return !last.outer && last.then_blocks != kChain &&
         std::uint64_t{last.num_blocks} + last.then_blocks < max_blocks;
}

std::uint64_t Streams::finish_last() {
  const Lane& last = lane_[0];
  Job& job = work_.job(last.position);
  sha1::State h = state(0);
  backend_->block(h.h.data(), lanes_.next[0], last.num_blocks);
  backend_->block(h.h.data(), work_.slots[last.position].data(), last.then_blocks);
  run_outer(*backend_, *job.key, work_.spare_slots[last.position], h);
  store_icv(job, h.h[0], h.h[1], h.h[2]);
  const std::uint32_t num_blocks = last.num_blocks + last.then_blocks + 1;
  leg_.telemetry->count(row_, 1, num_blocks);
  num_live_ = 0;
  wipe(&h, sizeof h);
  return num_blocks;
}

// Fewer streams than lanes: the live ones are in the first lanes, where a backend with fewer finds them too.
void Streams::fill_or_narrow() {
  fill();
  if (num_live_ == 0 || num_live_ > leg_.floor) return;
  const std::size_t row = leg_.choice->row(num_live_, leg_.length);
  const sha1::Backend* backend = &sha1::backends()[row];
  if (backend->lanes < num_live_ || backend->lanes > num_lanes_) return;
  row_ = row;
  backend_ = backend;
}

void Streams::absorb(std::uint32_t num_blocks) {
  leg_.telemetry->count(row_, num_live_, num_blocks);
  if (backend_->lanes == 1) {
    sha1::State h = state(0);
    backend_->block(h.h.data(), lanes_.next[0], num_blocks);
    set_state(0, h);
    lanes_.next[0] += num_blocks * sha1::kBlockLen;
    return;
  }
  for (std::size_t lane = num_live_; lane < num_lanes_; ++lane)
    lanes_.next[lane] = lanes_.next[0];  // an alias
  leg_.backend->lane(&lanes_, num_blocks);
}

// The lane's next run. False if its message is done.
bool Streams::renew(std::size_t lane) {
  Lane& l = lane_[lane];
  if (l.outer) {
    store_icv(work_.job(l.position), lanes_.h[0][lane], lanes_.h[1][lane], lanes_.h[2][lane]);
    return false;
  }
  if (l.then_blocks == 0) {
    Slot& slot = work_.spare_slots[l.position];
    const auto& h = lanes_.h;
    fill_outer_block(slot, h[0][lane], h[1][lane], h[2][lane], h[3][lane], h[4][lane]);
    set_state(lane, work_.job(l.position).key->outer());
    set_run(lane, {slot.data(), 1, 0});
    l.outer = true;
  } else if (l.then_blocks == kChain) {
    set_run(lane, next_run(work_, l.position));
  } else {
    set_run(lane, {work_.slots[l.position].data(), l.then_blocks, 0});
  }
  return true;
}

// The last live lane takes the place of one that is done.
void Streams::drop(std::size_t lane) {
  const std::size_t last = --num_live_;
  if (lane == last) return;
  lane_[lane] = lane_[last];
  lanes_.next[lane] = lanes_.next[last];
  set_state(lane, state(last));
}

}  // namespace

std::uint64_t run_streams(Work& work, const Leg& leg) {
  return Streams(work, leg).run();
}

}  // namespace gate96::hmac
