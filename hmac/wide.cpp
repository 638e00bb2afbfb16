// SPDX-License-Identifier: BSD-3-Clause
// The driver for 8 to 32 lanes. A step absorbs as many blocks as the shortest run in a lane has. Before it,
// what follows in each lane is planned, so that the backend can transpose that while it works; after it,
// states of finished messages go to a queue and those of new ones take their lanes. All lanes at a time,
// whatever happens in them.
#include "hmac/wide.h"

#if defined(__x86_64__)

#include <algorithm>

#include "asm/functions.h"
#include "hmac/driver.h"
#include "hmac/wide_prepare.h"
#include "sha1/select.h"
#include "sha1/wipe.h"

namespace gate96::hmac {
namespace {

constexpr int kIdle = -1;  // blocks of an idle lane's run: never the shortest

/// What happens in the lanes at the end of a step.
struct Plan {
  std::uint32_t num_blocks = 0;
  std::uint32_t to_slot = 0;  // lanes that go on with what is in their slot
  std::uint32_t chained = 0;  // lanes whose next run is not known yet
  std::uint32_t ended = 0;    // lanes whose message is over
  std::uint32_t taken = 0;    // those of them that get a new one
  std::size_t from = 0;       // the position of the first new one
};

GATE96_AVX512 inline std::uint32_t count(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(_mm_popcnt_u32(lanes));
}

GATE96_AVX512 inline std::uint32_t lowest(std::uint32_t lanes) {
  return _tzcnt_u32(lanes);
}

GATE96_AVX512 inline __m512i load(const void* from) {
  return _mm512_loadu_si512(from);
}

template <std::size_t kVectors>
class Wide {
 public:
  Wide(Work& work, const Leg& leg) : work_(work), w_(work.wide), leg_(leg), num_lanes_(leg.backend->lanes) {}

  GATE96_AVX512 std::uint64_t run();

 private:
  GATE96_AVX512 void enter();
  GATE96_AVX512 void leave();
  void load_stream(std::size_t lane);
  GATE96_AVX512 Plan plan(std::uint64_t max_blocks);
  GATE96_AVX512 std::uint32_t shortest_run() const;
  GATE96_AVX512 void take_messages(Plan& plan);
  GATE96_AVX512 void set_after(const Plan& plan);
  GATE96_AVX512 void follow_chains(std::uint32_t lanes);
  GATE96_AVX512 void exchange(const Plan& plan);
  GATE96_AVX512 void collect(std::uint32_t lanes);
  GATE96_AVX512 void store_icvs(std::uint32_t lanes);
  // A vector of h as the backend loads and stores it: a wider load would wait for a narrower store.
  GATE96_AVX512 __m512i load_row(const std::uint32_t* row) const {
    return num_lanes_ == 8 ? _mm512_zextsi256_si512(_mm256_load_si256(reinterpret_cast<const __m256i*>(row)))
                           : _mm512_load_si512(row);
  }
  GATE96_AVX512 void store_row(std::uint32_t* row, __m512i h) const {
    num_lanes_ == 8 ? _mm256_store_si256(reinterpret_cast<__m256i*>(row), _mm512_castsi512_si256(h))
                    : _mm512_store_si512(row, h);
  }
  GATE96_AVX512 bool below_floor() const { return count(w_.live) <= leg_.floor && work_.num_waiting() == 0; }

  Work& work_;
  WideState& w_;
  const Leg& leg_;
  const std::size_t num_lanes_;
  std::uint64_t absorbed_ = 0;

  static constexpr std::size_t kLanes = kVectors * kVectorLanes;  // num_lanes_ or more
};

template <std::size_t kVectors>
std::uint64_t Wide<kVectors>::run() {
  enter();
  while (w_.live != 0 && absorbed_ < leg_.max_blocks && !below_floor()) {
    const std::uint32_t in_use = count(w_.live);
    const Plan next = plan(leg_.max_blocks - absorbed_);
    leg_.backend->lane(&work_.lanes, next.num_blocks);
    leg_.telemetry->count(leg_.row, in_use, next.num_blocks);
    absorbed_ += std::uint64_t{next.num_blocks} * in_use;
    if (next.ended != 0) exchange(next);
  }
  leave();
  return absorbed_;
}

// Streams that were begun first, then new messages.
template <std::size_t kVectors>
void Wide<kVectors>::enter() {
  w_.live = w_.outer = 0;
  w_.num_prepared = std::max(w_.num_prepared, work_.num_taken);
  work_.lanes.look_ahead = 1;
  for (std::size_t i = 0; i < kLanes; i += kVectorLanes) {
    _mm512_store_si512(w_.num_blocks + i, _mm512_set1_epi32(-1));
    _mm512_store_si512(w_.then_blocks + i, _mm512_setzero_si512());
  }
  std::size_t lane = 0;
  while (lane < num_lanes_ && work_.num_begun > 0) load_stream(lane++);
  Plan start;
  start.ended = first_lanes(num_lanes_) & ~w_.live;
  take_messages(start);
  set_after(start);
  start.ended = 0;
  exchange(start);
  std::copy_n(work_.lanes.after, num_lanes_, work_.lanes.next);
  stage_blocks(work_.lanes, *leg_.backend);
}

template <std::size_t kVectors>
void Wide<kVectors>::load_stream(std::size_t lane) {
  const std::size_t position = work_.begun[--work_.num_begun];
  const Stream& stream = work_.streams[position];
  const sha1::State& outer_key = work_.job(position).key->outer();
  w_.num_blocks[lane] = stream.run.num_blocks;
  w_.then_blocks[lane] = stream.run.then_blocks;
  w_.position[lane] = static_cast<std::uint32_t>(position);
  work_.lanes.after[lane] = stream.run.next;
  for (std::size_t i = 0; i < sha1::kStateWords; ++i) {
    work_.lanes.h[i][lane] = stream.h.h[i];
    w_.key[sha1::kStateWords + i][position] = outer_key.h[i];
  }
  w_.num_used = std::max(w_.num_used, position + 1);
  w_.live |= 1u << lane;
  if (stream.outer) w_.outer |= 1u << lane;
}

template <std::size_t kVectors>
void Wide<kVectors>::leave() {
  for (std::uint32_t rest = w_.live; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = lowest(rest);
    Stream& stream = work_.streams[w_.position[lane]];
    for (std::size_t i = 0; i < sha1::kStateWords; ++i) stream.h.h[i] = work_.lanes.h[i][lane];
    stream.run = {work_.lanes.next[lane], w_.num_blocks[lane], w_.then_blocks[lane]};
    stream.outer = (w_.outer >> lane & 1) != 0;
    put_back(work_, w_.position[lane]);
  }
}

template <std::size_t kVectors>
std::uint32_t Wide<kVectors>::shortest_run() const {
  __m512i least = load(w_.num_blocks);
  for (std::size_t i = kVectorLanes; i < kLanes; i += kVectorLanes)
    least = _mm512_min_epu32(least, load(w_.num_blocks + i));
  return _mm512_reduce_min_epu32(least);
}

// Decides how far the next step goes, and puts num_blocks, then_blocks and position to what they will be
// after it.
template <std::size_t kVectors>
Plan Wide<kVectors>::plan(std::uint64_t max_blocks) {
  Plan plan;
  plan.num_blocks = shortest_run();
  if (max_blocks < std::uint64_t{plan.num_blocks} * sha1::kMaxLanes) [[unlikely]] {
    const std::uint64_t share = std::max<std::uint64_t>(max_blocks / count(w_.live), 1);
    plan.num_blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.num_blocks, share));
  }
  const __m512i step = _mm512_set1_epi32(static_cast<int>(plan.num_blocks));
  for (std::size_t i = 0; i < kLanes; i += kVectorLanes) {
    __m512i num_blocks = load(w_.num_blocks + i), then_blocks = load(w_.then_blocks + i);
    const __mmask16 over = _mm512_cmpeq_epu32_mask(num_blocks, step);
    const __mmask16 ended = _mm512_mask_cmpeq_epu32_mask(over, then_blocks, _mm512_setzero_si512());
    const __mmask16 chained = _mm512_mask_cmpeq_epu32_mask(over, then_blocks, _mm512_set1_epi32(-1));
    const auto to_slot = static_cast<__mmask16>(over & ~ended & ~chained);
    num_blocks = _mm512_mask_sub_epi32(num_blocks, lanes_from(w_.live, i), num_blocks, step);
    num_blocks = _mm512_mask_mov_epi32(num_blocks, to_slot, then_blocks);
    then_blocks = _mm512_maskz_mov_epi32(static_cast<__mmask16>(~to_slot), then_blocks);
    _mm512_store_si512(w_.num_blocks + i, num_blocks);
    _mm512_store_si512(w_.then_blocks + i, then_blocks);
    plan.ended |= std::uint32_t{ended} << i;
    plan.chained |= std::uint32_t{chained} << i;
    plan.to_slot |= std::uint32_t{to_slot} << i;
  }
  if (plan.ended != 0) take_messages(plan);
  set_after(plan);
  return plan;
}

// New messages for the lanes that have ended, as far as there are any. The other ones are idle from now on.
template <std::size_t kVectors>
void Wide<kVectors>::take_messages(Plan& plan) {
  const auto left = static_cast<std::uint32_t>(work_.jobs.size() - work_.num_taken);
  const std::uint32_t number = std::min(count(plan.ended), left);
  plan.taken = _pdep_u32(first_lanes(number), plan.ended);
  plan.from = work_.num_taken;
  work_.num_taken += number;
  // A group ahead: loads of vectors that were stored word by word would wait for the stores.
  const std::size_t wanted = std::min(work_.num_taken + num_lanes_, work_.jobs.size());
  while (w_.num_prepared < wanted) prepare_group(work_);
  const std::uint32_t idle = plan.ended & ~plan.taken;
  std::size_t from = plan.from;
  for (std::size_t i = 0; i < kLanes; i += kVectorLanes) {
    const __mmask16 taken = lanes_from(plan.taken, i);
    const __m512i position = load(w_.position + i);
    _mm512_store_si512(w_.ended_position + i, position);
    _mm512_store_si512(w_.position + i, _mm512_mask_expand_epi32(position, taken, count_from(from)));
    const __m512i num_blocks =
        _mm512_mask_expand_epi32(load(w_.num_blocks + i), taken, load(w_.first_blocks + from));
    _mm512_store_si512(w_.num_blocks + i, _mm512_mask_set1_epi32(num_blocks, lanes_from(idle, i), kIdle));
    _mm512_store_si512(w_.then_blocks + i,
                       _mm512_mask_expand_epi32(load(w_.then_blocks + i), taken, load(w_.first_then + from)));
    from += count(taken);
  }
  w_.live = (w_.live & ~idle) | plan.taken;
}

// Where each lane goes on after the step. An idle one aliases a live one, as long as there is any.
template <std::size_t kVectors>
void Wide<kVectors>::set_after(const Plan& plan) {
  const __m512i step =
      _mm512_set1_epi64(std::int64_t{plan.num_blocks} * static_cast<std::int64_t>(sha1::kBlockLen));
  const __m512i slots = _mm512_set1_epi64(reinterpret_cast<std::intptr_t>(work_.slots.data()));
  const std::uint8_t* const* first = w_.first + plan.from;
  for (std::size_t lane = 0; lane < num_lanes_; lane += 8) {
    const auto to_slot = static_cast<__mmask8>(plan.to_slot >> lane);
    const auto taken = static_cast<__mmask8>(plan.taken >> lane);
    const __m512i position =
        _mm512_cvtepu32_epi64(_mm256_load_si256(reinterpret_cast<const __m256i*>(w_.position + lane)));
    // The call before has made next[] what after[] was.
    __m512i after = _mm512_add_epi64(load(work_.lanes.after + lane), step);
    const __m512i slot = _mm512_add_epi64(_mm512_slli_epi64(position, 7), _mm512_slli_epi64(position, 6));
    after = _mm512_mask_add_epi64(after, to_slot, slots, slot);
    after = _mm512_mask_expand_epi64(after, taken, load(first));
    _mm512_store_si512(work_.lanes.after + lane, after);
    first += count(taken);
  }
  static_assert(sizeof(Slot) == (1 << 7) + (1 << 6));
  if (plan.chained != 0) [[unlikely]]
    follow_chains(plan.chained);
  if (count(w_.live) == num_lanes_) return;
  const std::uint8_t* alias =
      w_.live != 0 ? work_.lanes.after[lowest(w_.live)] : reinterpret_cast<const std::uint8_t*>(&work_.lanes);
  const __m512i aliases = _mm512_set1_epi64(reinterpret_cast<std::intptr_t>(alias));
  for (std::size_t lane = 0; lane < num_lanes_; lane += 8) {
    _mm512_mask_storeu_epi64(work_.lanes.after + lane, static_cast<__mmask8>(~w_.live >> lane), aliases);
  }
}

template <std::size_t kVectors>
void Wide<kVectors>::follow_chains(std::uint32_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t lane = lowest(lanes);
    const Run run = next_run(work_, w_.position[lane]);
    w_.num_blocks[lane] = run.num_blocks;
    w_.then_blocks[lane] = run.then_blocks;
    work_.lanes.after[lane] = run.next;
  }
}

// States of ended messages out, those of new ones in.
template <std::size_t kVectors>
void Wide<kVectors>::exchange(const Plan& plan) {
  if (const std::uint32_t outer = plan.ended & w_.outer; outer != 0) [[unlikely]]
    store_icvs(outer);
  if (const std::uint32_t inner = plan.ended & ~w_.outer; inner != 0) collect(inner);
  w_.outer &= ~plan.ended;
  std::size_t from = plan.from;
  for (std::size_t i = 0; i < kLanes; i += kVectorLanes) {
    const __mmask16 taken = lanes_from(plan.taken, i);
    for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
      std::uint32_t* h = work_.lanes.h[word] + i;
      store_row(h, _mm512_mask_expand_epi32(load_row(h), taken, load(w_.key[word] + from)));
    }
    from += count(taken);
  }
  if (w_.num_finished >= num_lanes_) absorbed_ += finish_outer_hashes(work_, leg_, num_lanes_);
}

template <std::size_t kVectors>
void Wide<kVectors>::collect(std::uint32_t lanes) {
  for (std::size_t i = 0; i < kLanes; i += kVectorLanes) {
    const __mmask16 mask = lanes_from(lanes, i);
    for (std::size_t word = 0; word < sha1::kStateWords; ++word) {
      _mm512_storeu_si512(w_.digest[word] + w_.num_finished,
                          _mm512_maskz_compress_epi32(mask, load_row(work_.lanes.h[word] + i)));
    }
    _mm512_storeu_si512(w_.finished + w_.num_finished,
                        _mm512_maskz_compress_epi32(mask, load(w_.ended_position + i)));
    w_.num_finished += count(mask);
  }
}

template <std::size_t kVectors>
void Wide<kVectors>::store_icvs(std::uint32_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t lane = lowest(lanes);
    const auto& h = work_.lanes.h;
    store_icv(work_.job(w_.ended_position[lane]), h[0][lane], h[1][lane], h[2][lane]);
  }
}

}  // namespace

std::uint64_t run_wide(Work& work, const Leg& leg) {
  return leg.backend->lanes > kVectorLanes ? Wide<2>(work, leg).run() : Wide<1>(work, leg).run();
}

bool wide_driver_usable() {
  using enum sha1::Feature;
  static const bool usable =
      sha1::detect(sha1::read_cpu()).usable.has_all({kAvx512f, kAvx512bw, kAvx512vl, kBmi1, kBmi2});
  return usable;
}

}  // namespace gate96::hmac

#endif
