// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/rcu.h"

#include <rte_malloc.h>
#include <time.h>

#include <stdexcept>

namespace gate96 {

void Rcu::Free::operator()(rte_rcu_qsbr* state) const {
  rte_free(state);
}

Rcu::Rcu(unsigned num_readers)
    : state_(static_cast<rte_rcu_qsbr*>(
          rte_zmalloc("rcu", rte_rcu_qsbr_get_memsize(num_readers), RTE_CACHE_LINE_SIZE))) {
  if (!state_ || rte_rcu_qsbr_init(state_.get(), num_readers) != 0) {
    throw std::runtime_error("no memory for RCU; raise eal.memory_mb");
  }
}

void Rcu::enter(unsigned reader) {
  rte_rcu_qsbr_thread_register(state_.get(), reader);
  rte_rcu_qsbr_thread_online(state_.get(), reader);
}

void Rcu::leave(unsigned reader) {
  rte_rcu_qsbr_thread_offline(state_.get(), reader);
  rte_rcu_qsbr_thread_unregister(state_.get(), reader);
}

void Rcu::wait_for_readers() {
  // rte_rcu_qsbr_synchronize spins; a reader that shares our core would have to wait for us.
  const std::uint64_t token = rte_rcu_qsbr_start(state_.get());
  constexpr timespec kPause = {0, 50'000};
  while (rte_rcu_qsbr_check(state_.get(), token, false) == 0) nanosleep(&kPause, nullptr);
}

}  // namespace gate96
