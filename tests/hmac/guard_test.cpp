// SPDX-License-Identifier: BSD-3-Clause
// No byte outside a message is read: each lies against a page that may not be touched, at its end or at its
// head.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "tests/hmac/load.h"

namespace gate96::hmac {
namespace {

/// Readable pages between two that are not.
class GuardedPages {
 public:
  GuardedPages() {
    base_ = static_cast<std::uint8_t*>(
        mmap(nullptr, len_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED || mprotect(begin(), len_, PROT_READ | PROT_WRITE) != 0) abort();
  }
  ~GuardedPages() { munmap(base_, len_ + 2 * page_); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  std::uint8_t* begin() const { return base_ + page_; }
  std::uint8_t* end() const { return begin() + len_; }

 private:
  std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t len_ = page_;
  std::uint8_t* base_;
};

enum class At { kHead, kEnd };

void move_to_guards(std::vector<Job>& jobs, const std::deque<GuardedPages>& pages, At at) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    std::uint8_t* place = at == At::kEnd ? pages[i].end() - jobs[i].len : pages[i].begin();
    if (jobs[i].len > 0) std::memcpy(place, jobs[i].data, jobs[i].len);
    jobs[i].data = place;
  }
}

TEST(Guard, EveryLengthAtEitherEndOfItsPage) {
  std::deque<GuardedPages> pages(17);
  fpu::Context fpu;
  for (std::size_t num_messages : {1, 2, 4, 7, 17}) {
    for (std::size_t len = 0; len <= 300; ++len) {
      Load load(static_cast<std::uint32_t>(len));
      for (std::size_t i = 0; i < num_messages; ++i) {
        (len + i) % 7 == 0 ? load.add_with_esn(len + i) : load.add(len + i);
      }
      const std::vector<Job> elsewhere = load.jobs();
      for (At at : {At::kEnd, At::kHead}) {
        load.jobs() = elsewhere;
        move_to_guards(load.jobs(), pages, at);
        for (Burst& burst : all_engines()) {
          burst.start(load.jobs());
          ASSERT_EQ(burst.run(fpu), Outcome::kDone);
          load.expect_right(burst.choice().name());
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace gate96::hmac
