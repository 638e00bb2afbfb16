// SPDX-License-Identifier: BSD-3-Clause
// Two threads and dataplane's own ring between them. Built a second time with every acquire left out, to show
// that ThreadSanitizer's build can fail.
#include <atomic>
#include <thread>

#ifdef GATE96_FORGET_ACQUIRE
#define memory_order_acquire memory_order_relaxed
#endif
#include "dataplane/spsc_ring.h"

int main() {
  constexpr unsigned kNumItems = 20'000;
  gate96::SpscRing<unsigned, 64> ring;
  std::thread producer([&ring] {
    for (unsigned i = 1; i <= kNumItems; ++i) {
      while (!ring.push(i)) std::this_thread::yield();
    }
  });
  unsigned wrong = 0;
  for (unsigned i = 1; i <= kNumItems; ++i) {
    unsigned item = 0;
    while (!ring.pop(item)) std::this_thread::yield();
    wrong += item != i;
  }
  producer.join();
  return wrong == 0 ? 0 : 1;
}
