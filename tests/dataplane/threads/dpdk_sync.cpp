// SPDX-License-Identifier: BSD-3-Clause
// What ThreadSanitizer cannot see: DPDK's archives are not instrumented, so it takes what they order for
// unordered. Two places are told here, each by a release before and an acquire after:
// - starting and awaiting an lcore: the linker sends both calls here (--wrap);
// - a buffer that one lcore gives back to the pool and another takes: pool operations named "observed",
// around
//   DPDK's own (EAL option --mbuf-pool-ops-name). Buffer by buffer, so that nothing else is ordered by
//   chance.
// Rings and RCU are inline in our own code, and seen with -DRTE_USE_C11_MEM_MODEL.
#include <rte_launch.h>
#include <rte_mempool.h>

#include <cstdlib>
#include <cstring>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#else
namespace {
void __tsan_acquire(void*) {}
void __tsan_release(void*) {}
}  // namespace
#endif

namespace {

const rte_mempool_ops& original() {
  for (unsigned i = 0; i < rte_mempool_ops_table.num_ops; ++i) {
    const rte_mempool_ops& ops = rte_mempool_ops_table.ops[i];
    if (std::strcmp(ops.name, "ring_mp_mc") == 0) return ops;
  }
  std::abort();
}

int enqueue(rte_mempool* pool, void* const* objects, unsigned num) {
  for (unsigned i = 0; i < num; ++i) __tsan_release(objects[i]);
  return original().enqueue(pool, objects, num);
}

int dequeue(rte_mempool* pool, void** objects, unsigned num) {
  const int result = original().dequeue(pool, objects, num);
  if (result != 0) return result;
  for (unsigned i = 0; i < num; ++i) __tsan_acquire(objects[i]);
  return result;
}

rte_mempool_ops make_ops() {
  rte_mempool_ops ops{};
  std::strcpy(ops.name, "observed");
  ops.alloc = [](rte_mempool* pool) { return original().alloc(pool); };
  ops.free = [](rte_mempool* pool) { original().free(pool); };
  ops.enqueue = enqueue;
  ops.dequeue = dequeue;
  ops.get_count = [](const rte_mempool* pool) { return original().get_count(pool); };
  return ops;
}

struct Launch {
  lcore_function_t* function;
  void* argument;
};
Launch launches[RTE_MAX_LCORE];

int run(void* launch) {
  __tsan_acquire(launch);
  const auto* l = static_cast<Launch*>(launch);
  const int result = l->function(l->argument);
  __tsan_release(launch);
  return result;
}

[[gnu::constructor]] void register_ops() {
  static const rte_mempool_ops ops = make_ops();
  rte_mempool_register_ops(&ops);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the linker's
extern "C" {
int __real_rte_eal_remote_launch(lcore_function_t* function, void* argument, unsigned lcore);
void __real_rte_eal_mp_wait_lcore();

int __wrap_rte_eal_remote_launch(lcore_function_t* function, void* argument, unsigned lcore) {
  launches[lcore] = {function, argument};
  __tsan_release(&launches[lcore]);
  return __real_rte_eal_remote_launch(run, &launches[lcore], lcore);
}

void __wrap_rte_eal_mp_wait_lcore() {
  __real_rte_eal_mp_wait_lcore();
  for (Launch& launch : launches) __tsan_acquire(&launch);
}
}
// NOLINTEND(bugprone-reserved-identifier)
