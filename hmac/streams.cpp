// SPDX-License-Identifier: BSD-3-Clause
// The driver for few lanes. Each step absorbs as many blocks as the shortest run in a lane has, then gives
// every lane whose run is over its next run, its outer hash or its next stream. The live lanes are always the
// first ones.
#include <algorithm>
#include <array>

#include "hmac/driver.h"
#include "sha1/wipe.h"

namespace gate96::hmac {
namespace {

class Streams {
 public:
  Streams(Work& work, const Leg& leg) : work_(work), leg_(leg), num_lanes_(leg.backend->lanes) {}

  std::uint64_t run() {
    std::uint64_t absorbed = 0;
    fill();
    while (num_live_ > 0 && absorbed < leg_.max_blocks && !below_floor())
      absorbed += step(leg_.max_blocks - absorbed);
    while (num_live_ > 0) {
      save(num_live_ - 1);
      put_back(work_, position_[--num_live_]);
    }
    if (num_lanes_ > 1) wipe(lanes_.h, sizeof lanes_.h);
    return absorbed;
  }

 private:
  Stream& stream(std::size_t lane) { return work_.streams[position_[lane]]; }
  bool below_floor() const { return num_live_ <= leg_.floor && work_.num_waiting() == 0; }

  void fill() {
    while (num_live_ < num_lanes_ && work_.num_waiting() > 0) {
      position_[num_live_] = take_stream(work_);
      load(num_live_++);
    }
  }

  // With one lane the block function works on the stream's own state.
  void load(std::size_t lane) {
    if (num_lanes_ == 1) return;
    for (std::size_t i = 0; i < sha1::kStateWords; ++i) lanes_.h[i][lane] = stream(lane).h.h[i];
  }
  void save(std::size_t lane) {
    if (num_lanes_ == 1) return;
    for (std::size_t i = 0; i < sha1::kStateWords; ++i) stream(lane).h.h[i] = lanes_.h[i][lane];
  }

  std::uint64_t step(std::uint64_t max_blocks);
  void absorb(std::uint32_t num_blocks);
  bool renew(std::size_t lane);

  Work& work_;
  const Leg& leg_;
  const std::size_t num_lanes_;
  std::size_t num_live_ = 0;
  std::array<std::size_t, sha1::kMaxLanes> position_;
  sha1::LaneState lanes_;
};

std::uint64_t Streams::step(std::uint64_t max_blocks) {
  std::uint32_t num_blocks = stream(0).num_blocks;
  for (std::size_t lane = 1; lane < num_live_; ++lane)
    num_blocks = std::min(num_blocks, stream(lane).num_blocks);
  const std::uint64_t share = std::max<std::uint64_t>(max_blocks / num_live_, 1);
  num_blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(num_blocks, share));
  const std::uint64_t absorbed = num_blocks * num_live_;
  absorb(num_blocks);
  for (std::size_t lane = num_live_; lane-- > 0;) {
    stream(lane).next += num_blocks * sha1::kBlockLen;
    if ((stream(lane).num_blocks -= num_blocks) > 0 || renew(lane)) continue;
    --num_live_;
    if (lane == num_live_) continue;
    save(num_live_);
    position_[lane] = position_[num_live_];
    load(lane);
  }
  fill();
  return absorbed;
}

void Streams::absorb(std::uint32_t num_blocks) {
  leg_.telemetry->count(leg_.row, num_live_, num_blocks);
  if (num_lanes_ == 1) {
    leg_.backend->block(stream(0).h.h.data(), stream(0).next, num_blocks);
    return;
  }
  for (std::size_t lane = 0; lane < num_lanes_; ++lane) {
    lanes_.next[lane] = stream(lane < num_live_ ? lane : 0).next;  // an idle lane aliases a live one
  }
  leg_.backend->lane(&lanes_, num_blocks);
}

// The lane's next run. False if its hash is done.
bool Streams::renew(std::size_t lane) {
  Stream& s = stream(lane);
  const bool reads_state = s.outer || s.then_blocks == 0;
  if (reads_state) save(lane);
  if (!next_run(work_, position_[lane])) return false;
  if (reads_state) load(lane);
  return true;
}

}  // namespace

std::uint64_t run_streams(Work& work, const Leg& leg) {
  return Streams(work, leg).run();
}

}  // namespace gate96::hmac
