// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/burst.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "hmac/hmac.h"

namespace gate96::hmac {

struct Burst::Impl {
  std::span<Job> jobs;
  std::size_t current = 0;   // the job in work
  std::size_t segment = 0;   // its piece in work: 0 is data, then more[]
  std::size_t offset = 0;    // into that piece
  std::optional<Hmac> hmac;  // its state so far

  void finish_job();
  std::size_t absorb(std::size_t max_bytes);
};

// Absorbs at most `max_bytes` of the current piece and steps to the next at its end. Returns the bytes
// absorbed.
std::size_t Burst::Impl::absorb(std::size_t max_bytes) {
  Job& job = jobs[current];
  if (!hmac) hmac.emplace(*job.key);
  const Segment piece = segment == 0 ? Segment{job.data, job.len} : job.more[segment - 1];
  const std::size_t num_bytes = std::min(max_bytes, piece.len - offset);
  if (num_bytes > 0) hmac->update({piece.data + offset, num_bytes});
  offset += num_bytes;
  if (offset < piece.len) return num_bytes;
  offset = 0;
  if (++segment > job.num_more) finish_job();
  return num_bytes;
}

void Burst::Impl::finish_job() {
  Job& job = jobs[current];
  if (job.has_esn) {
    const std::uint32_t high = job.esn_high;
    const std::array<std::uint8_t, 4> suffix = {
        static_cast<std::uint8_t>(high >> 24), static_cast<std::uint8_t>(high >> 16),
        static_cast<std::uint8_t>(high >> 8), static_cast<std::uint8_t>(high)};
    hmac->update(suffix);
  }
  const Digest digest = hmac->final();
  std::copy_n(digest.begin(), kIcvLen, job.icv.begin());
  hmac.reset();
  segment = 0;
  ++current;
}

Burst::Burst() : impl_(new Impl) {}

Burst::~Burst() {
  delete impl_;
}

void Burst::start(std::span<Job> jobs) {
  if (jobs.size() > kMaxBurst || impl_->current < impl_->jobs.size()) abort();
  impl_->jobs = jobs;
  impl_->current = 0;
}

Outcome Burst::run(fpu::Context& fpu, std::size_t budget_bytes) {
  if (!fpu.ask()) return Outcome::kRefused;
  return run_scalar(budget_bytes);
}

Outcome Burst::run_scalar(std::size_t budget_bytes) {
  while (impl_->current < impl_->jobs.size()) {
    if (budget_bytes == 0) return Outcome::kBudget;
    budget_bytes -= impl_->absorb(budget_bytes);
  }
  return Outcome::kDone;
}

}  // namespace gate96::hmac
