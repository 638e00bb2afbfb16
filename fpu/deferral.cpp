// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/deferral.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace gate96::fpu {

Deferral::Deferral(const FpuConfig& config, const Limits& limits, Counters& counters)
    : order_(config.order),
      limit_(config.queue_limit),
      budget_(config.defer_budget),
      counters_(counters),
      queue_(limit_ + (config.backlog ? limits.backlog : 0)),
      slots_(std::max(limits.in_progress, config.defer_budget)),
      line_(slots_.size()) {
  free_.reserve(slots_.size());
  for (std::size_t i = slots_.size(); i > 0; --i) free_.push_back(static_cast<std::uint32_t>(i - 1));
}

void Deferral::goes_out(SaOrder& sa, std::uint64_t number) {
  if (goes_out_late(sa, number)) counters_.reordered.add(1);
}

void Deferral::depth_changed() {
  counters_.queue_depth.set(num_waiting_);
  counters_.queue_high.raise_to(num_waiting_);
}

void Deferral::in_place(SaOrder& sa) {
  goes_out(sa, ++sa.arrived);
}

Admit Deferral::defer(void* packet, SaOrder& sa) {
  if (num_waiting_ == queue_.size()) {
    const bool has_backlog = queue_.size() > limit_;
    (has_backlog ? counters_.backlog_overflow : counters_.overflow).add(1);
    return has_backlog ? Admit::kBacklogFull : Admit::kQueueFull;
  }
  const bool above_limit = num_waiting_ >= limit_;
  waiting_at(num_waiting_) = {.packet = packet, .sa = &sa, .number = ++sa.arrived, .completed = false};
  ++num_waiting_;
  ++sa.outstanding;
  counters_.deferred.add(1);
  if (above_limit) counters_.backlogged.add(1);
  depth_changed();
  return above_limit ? Admit::kBacklogged : Admit::kQueued;
}

std::size_t Deferral::take(std::span<Taken> out) {
  const std::size_t num = std::min({out.size(), budget_, num_waiting_, free_.size()});
  for (std::size_t i = 0; i < num; ++i) {
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot] = waiting_at(0);
    head_ = (head_ + 1) % queue_.size();
    --num_waiting_;
    if (order_ != Order::kNone) line_[(line_head_ + line_len_++) % line_.size()] = slot;
    out[i] = {slots_[slot].packet, slot};
  }
  if (num > 0) depth_changed();
  return num;
}

void Deferral::complete(std::uint32_t slot) {
  Request& request = slots_.at(slot);
  if (request.packet == nullptr || request.completed) {
    std::fprintf(stderr, "gate96: deferral: slot %u completed, but not in progress\n", slot);
    std::abort();
  }
  request.completed = true;
  if (order_ == Order::kNone) line_[(line_head_ + line_len_++) % line_.size()] = slot;
}

std::size_t Deferral::hand_back(std::span<HandedBack> out) {
  std::size_t num = 0;
  while (num < out.size() && line_len_ > 0) {
    const std::uint32_t slot = line_[line_head_];
    Request& request = slots_[slot];
    if (!request.completed) break;
    line_head_ = (line_head_ + 1) % line_.size();
    --line_len_;
    if (request.sa != nullptr) {
      --request.sa->outstanding;
      goes_out(*request.sa, request.number);
    }
    out[num++] = {request.packet, request.sa};
    request = {};
    free_.push_back(slot);
  }
  counters_.drained.add(num);
  return num;
}

std::size_t Deferral::forget(SaOrder& sa, std::span<void*> out) {
  for (Request& request : slots_) {
    if (request.sa != &sa) continue;
    request.sa = nullptr;
    --sa.outstanding;
  }
  std::size_t num_dropped = 0, num_kept = 0;
  for (std::size_t i = 0; i < num_waiting_; ++i) {
    const Request request = waiting_at(i);
    if (request.sa == &sa && num_dropped < out.size()) {
      out[num_dropped++] = request.packet;
      --sa.outstanding;
    } else {
      waiting_at(num_kept++) = request;
    }
  }
  num_waiting_ = num_kept;
  depth_changed();
  return num_dropped;
}

}  // namespace gate96::fpu
