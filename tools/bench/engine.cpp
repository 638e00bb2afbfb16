// SPDX-License-Identifier: BSD-3-Clause
#include <stdexcept>

#include "fpu/context.h"
#include "hmac/burst.h"
#include "tools/bench/authenticators.h"

namespace gate96::bench {
namespace {

class Engine : public Authenticator {
 public:
  Engine(const BurstLoad& load, const hmac::BackendChoice& choice)
      : load_(load), jobs_(load.packets().size()), burst_(choice) {
    for (const auto& key : load.keys()) keys_.emplace_back(key);
  }

  [[nodiscard]] std::string name() const override { return burst_.choice().name(); }

  void run(std::size_t iterations) override {
    for (std::size_t i = 0; i < iterations; ++i) {
      for (std::size_t first = 0; first < jobs_.size(); first += load_.n()) run_burst(first);
    }
  }

  [[nodiscard]] std::vector<Icv> icvs() const override {
    std::vector<Icv> all;
    for (const hmac::Job& job : jobs_) all.push_back(job.icv);
    return all;
  }

 private:
  void run_burst(std::size_t first) {
    const std::span<hmac::Job> jobs(&jobs_[first], load_.n());
    const BurstLoad::Packet* packet = &load_.packets()[first];
    const hmac::Key* key = &keys_[first];
    for (hmac::Job& job : jobs) {
      job.key = key++;
      job.data = packet->data;
      job.len = packet->len;
      ++packet;
    }
    burst_.start(jobs);
    if (burst_.run(fpu_) != hmac::Outcome::kDone)
      throw std::runtime_error("the engine did not finish a burst");
  }

  const BurstLoad& load_;
  std::vector<hmac::Job> jobs_;
  std::vector<hmac::Key> keys_;
  hmac::Burst burst_;
  fpu::Context fpu_;
};

}  // namespace

std::unique_ptr<Authenticator> make_engine(const BurstLoad& load, const hmac::BackendChoice& choice) {
  return std::make_unique<Engine>(load, choice);
}

}  // namespace gate96::bench
