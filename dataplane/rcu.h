// SPDX-License-Identifier: BSD-3-Clause
// When what has been taken out of force may be freed: quiescent-state RCU (rte_rcu_qsbr). Readers say once a
// loop that they hold nothing; they take no lock and wait for no one.
#pragma once

#include <rte_rcu_qsbr.h>

#include <memory>

namespace gate96 {

class Rcu {
 public:
  /// Throws std::runtime_error if there is no memory.
  explicit Rcu(unsigned num_readers);

  // Each reader from its own thread; `reader` counts from 0.
  void enter(unsigned reader);
  void leave(unsigned reader);
  /// Nothing that was read before is in use any more.
  void quiescent(unsigned reader) { rte_rcu_qsbr_quiescent(state_.get(), reader); }
  /// Around a sleep, so that no one waits for a sleeper.
  void offline(unsigned reader) { rte_rcu_qsbr_thread_offline(state_.get(), reader); }
  void online(unsigned reader) { rte_rcu_qsbr_thread_online(state_.get(), reader); }

  /// Returns once every reader has been quiescent, offline or gone since the call.
  void wait_for_readers();

 private:
  struct Free {
    void operator()(rte_rcu_qsbr* state) const;
  };
  std::unique_ptr<rte_rcu_qsbr, Free> state_;
};

}  // namespace gate96
