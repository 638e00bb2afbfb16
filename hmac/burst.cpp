// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/burst.h"

#include <algorithm>

#include "hmac/advance.h"
#include "sha1/wipe.h"

namespace gate96::hmac {
namespace {

// "To one block a lane": at least one block.
std::uint64_t blocks_in(std::size_t num_bytes) {
  return std::max<std::uint64_t>(num_bytes / sha1::kBlockLen, num_bytes > 0);
}

}  // namespace

struct Burst::Impl {
  explicit Impl(const BackendChoice& backend_choice) : choice(backend_choice) {}

  std::size_t run(const BackendChoice& with, std::size_t budget_bytes) {
    const std::uint64_t num_blocks = advance(work, with, blocks_in(budget_bytes), telemetry);
    if (work.num_waiting() == 0) end_work(work);
    return num_blocks * sha1::kBlockLen;
  }

  BackendChoice choice;
  Work work;
  Telemetry telemetry;
};

Burst::Burst() : Burst(BackendChoice::automatic()) {}

Burst::Burst(const BackendChoice& choice) : impl_(new Impl(choice)) {}

Burst::~Burst() {
  end_work(impl_->work);
  delete impl_;
}

void Burst::start(std::span<Job> jobs) {
  begin_work(impl_->work, jobs);
}

void Burst::cancel() {
  end_work(impl_->work);
  impl_->work.jobs = {};
  impl_->work.num_taken = impl_->work.num_begun = 0;
}

Outcome Burst::run(fpu::Context& fpu, std::size_t budget_bytes) {
  if (!impl_->choice.is_vector()) return run_scalar(budget_bytes);
  while (impl_->work.num_waiting() > 0) {
    if (budget_bytes == 0) return Outcome::kBudget;
    if (!fpu.ask(impl_->work.num_blocks * sha1::kBlockLen)) return Outcome::kRefused;
    fpu::Section section(fpu);
    const std::size_t num_bytes = impl_->run(impl_->choice, std::min(budget_bytes, fpu.section_bytes()));
    section.count(num_bytes);
    budget_bytes -= std::min(budget_bytes, num_bytes);
  }
  return Outcome::kDone;
}

Outcome Burst::run_scalar(std::size_t budget_bytes) {
  const bool is_vector = impl_->choice.is_vector();
  if (budget_bytes > 0) impl_->run(is_vector ? BackendChoice::scalar() : impl_->choice, budget_bytes);
  return impl_->work.num_waiting() > 0 ? Outcome::kBudget : Outcome::kDone;
}

const Telemetry& Burst::telemetry() const {
  return impl_->telemetry;
}

const BackendChoice& Burst::choice() const {
  return impl_->choice;
}

}  // namespace gate96::hmac
