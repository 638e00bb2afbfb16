// SPDX-License-Identifier: BSD-3-Clause
// The short way for messages that need no driver: in one piece, and with their blocks in the same places, as
// many at a time as the backend has lanes, from key to ICV.
#include <algorithm>
#include <cstring>

#include "asm/functions.h"
#include "hmac/driver.h"
#include "sha1/wipe.h"

namespace gate96::hmac {
namespace {

/// The runs of a message: whole blocks where they lie, then its slot.
struct Shape {
  std::uint64_t body;
  std::uint64_t in_slot;

  explicit Shape(const Job& job)
      : body(job.len > kShortLen ? job.len / sha1::kBlockLen : 0), in_slot(num_inner_blocks(job) - body) {}
  bool operator==(const Shape&) const = default;
  [[nodiscard]] std::uint64_t num_blocks() const { return body + in_slot + 1; }  // and the outer hash
};

// Whether the next `number` messages are alike and the budget has room for all of each.
bool can_take(Work& work, std::size_t number, const Shape& shape, std::uint64_t max_blocks) {
  if (number * shape.num_blocks() > max_blocks) return false;
  for (std::size_t i = 0; i < number; ++i) {
    const Job& job = work.job(work.num_taken + i);
    if (job.num_more > 0 || Shape(job) != shape) return false;
  }
  return true;
}

/// A message in one piece, from key to ICV.
inline void run_one(const sha1::Backend& backend, Job& job, Slot& slot, const Shape& shape, sha1::State& h) {
  h = job.key->inner();
  fill_slot(slot, job);
  if (shape.body > 0) backend.block(h.h.data(), job.data, shape.body);
  backend.block(h.h.data(), slot.data(), shape.in_slot);
  run_outer(backend, *job.key, slot, h);
  store_icv(job, h.h[0], h.h[1], h.h[2]);
}

std::uint64_t run_singly(Work& work, const Leg& leg) {
  std::uint64_t absorbed = 0;
  sha1::State h;
  while (work.num_taken < work.jobs.size()) {
    Job& job = work.job(work.num_taken);
    const Shape shape(job);
    if (job.num_more > 0 || shape.num_blocks() > leg.max_blocks - absorbed) break;
    run_one(*leg.backend, job, work.slots[work.num_taken++], shape, h);
    absorbed += shape.num_blocks();
  }
  leg.telemetry->count(leg.row, 1, absorbed);
  wipe(&h, sizeof h);
  return absorbed;
}

class Group {
 public:
  Group(Work& work, const Leg& leg)
      : work_(work), lane_fn_(leg.backend->lane), num_lanes_(leg.backend->lanes), lanes_(work.lanes) {
    lanes_.staged = lanes_.look_ahead = 0;
  }
  ~Group() { wipe_states(lanes_, num_lanes_); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  void run(std::size_t number, const Shape& shape) {
    first_ = work_.num_taken;
    work_.num_taken += number;
    number_ = number;
    for (std::size_t lane = 0; lane < number; ++lane) begin(lane, shape);
    if (shape.body > 0) {
      absorb(shape.body);
      for (std::size_t lane = 0; lane < number; ++lane) lanes_.next[lane] = slot(lane).data();
    }
    absorb(shape.in_slot);
    for (std::size_t lane = 0; lane < number; ++lane) begin_outer(lane);
    absorb(1);
    for (std::size_t lane = 0; lane < number; ++lane)
      store_icv(job(lane), lanes_.h[0][lane], lanes_.h[1][lane], lanes_.h[2][lane]);
  }

 private:
  Job& job(std::size_t lane) { return work_.job(first_ + lane); }
  Slot& slot(std::size_t lane) { return work_.slots[first_ + lane]; }

  void begin(std::size_t lane, const Shape& shape) {
    fill_slot(slot(lane), job(lane));
    set_state(lane, job(lane).key->inner());
    lanes_.next[lane] = shape.body > 0 ? job(lane).data : slot(lane).data();
  }

  void begin_outer(std::size_t lane) {
    const auto& h = lanes_.h;
    fill_outer_block(slot(lane), h[0][lane], h[1][lane], h[2][lane], h[3][lane], h[4][lane]);
    set_state(lane, job(lane).key->outer());
    lanes_.next[lane] = slot(lane).data();
  }

  void set_state(std::size_t lane, const sha1::State& state) {
    for (std::size_t i = 0; i < sha1::kStateWords; ++i) lanes_.h[i][lane] = state.h[i];
  }

  void absorb(std::uint64_t num_blocks) {
    for (std::size_t lane = number_; lane < num_lanes_; ++lane)
      lanes_.next[lane] = lanes_.next[0];  // an alias
    lane_fn_(&lanes_, num_blocks);
  }

  Work& work_;
  const sha1::LaneFn lane_fn_;
  const std::size_t num_lanes_;
  std::size_t first_ = 0;   // position of the message in lane 0
  std::size_t number_ = 0;  // of lanes in use
  sha1::LaneState& lanes_;
};

std::uint64_t run_groups(Work& work, const Leg& leg) {
  std::uint64_t absorbed = 0;
  Group group(work, leg);
  while (work.jobs.size() - work.num_taken > leg.floor) {
    const std::size_t number = std::min<std::size_t>(leg.backend->lanes, work.jobs.size() - work.num_taken);
    const Shape shape(work.job(work.num_taken));
    if (!can_take(work, number, shape, leg.max_blocks - absorbed)) break;
    group.run(number, shape);
    leg.telemetry->count(leg.row, number, shape.num_blocks());
    absorbed += number * shape.num_blocks();
  }
  return absorbed;
}

}  // namespace

void run_outer(const sha1::Backend& backend, const Key& key, Slot& slot, sha1::State& h) {
#if defined(__x86_64__)
  if (backend.block == gate96_sha1_sha_ni) return gate96_sha1_sha_ni_outer(h.h.data(), key.outer().h.data());
#endif
  fill_outer_block(slot, h.h[0], h.h[1], h.h[2], h.h[3], h.h[4]);
  h = key.outer();
  backend.block(h.h.data(), slot.data(), 1);
}

std::uint64_t run_alone(Work& work, const BackendChoice& choice, std::uint64_t max_blocks,
                        Telemetry& telemetry) {
  if (work.num_taken > 0 || work.jobs[0].num_more > 0) return 0;
  const std::size_t row = choice.row(1, length_of(work));
  const sha1::Backend& backend = sha1::backends()[row];
  const Shape shape(work.jobs[0]);
  if (backend.lanes > 1 || shape.num_blocks() > max_blocks) return 0;
  work.num_taken = 1;
  sha1::State h;
  run_one(backend, work.jobs[0], work.slots[0], shape, h);
  wipe(&h, sizeof h);
  telemetry.count(row, 1, shape.num_blocks());
  return shape.num_blocks();
}

std::uint64_t run_alike(Work& work, const Leg& leg) {
  if (work.num_begun > 0) return 0;
  return leg.backend->lanes == 1 ? run_singly(work, leg) : run_groups(work, leg);
}

}  // namespace gate96::hmac
