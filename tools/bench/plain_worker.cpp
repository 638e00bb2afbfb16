// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/plain_worker.h"

#include "dataplane/worker.h"

namespace gate96::bench {

static_assert(fpu::Context::kCompiledOut, "the real fpu/context.h was found first");

struct PlainWorker::Impl {
  Worker worker;  // by its other name, see meson.build
};

PlainWorker::PlainWorker(const Config& config, const std::vector<PortInfo>& ports, rte_mempool* pool,
                         Transmitter& transmitter)
    : impl_(new Impl{{config, ports, pool, transmitter, {}}}) {}

PlainWorker::~PlainWorker() = default;

void PlainWorker::receive(const Tables& tables, std::uint8_t port, rte_mbuf** frames, std::uint16_t num) {
  impl_->worker.receive(tables, port, frames, num);
}

void PlainWorker::stop() {
  impl_->worker.stop();
}

StageClock& PlainWorker::stages() {
  return impl_->worker.stages();
}

const Counters& PlainWorker::counters() const {
  return impl_->worker.counters();
}

}  // namespace gate96::bench
