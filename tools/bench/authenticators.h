// SPDX-License-Identifier: BSD-3-Clause
// HMAC-SHA1-96 of a burst load: the engine, OpenSSL and intel-ipsec-mb, each used the way it is fastest.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hmac/choice.h"
#include "tools/bench/burst_load.h"

namespace gate96::bench {

/// Authenticates the packets of one load, burst by burst. Keys are expanded in the constructor; whatever a
/// caller would have to do for each burst is done in run().
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// All bursts of the load, `iterations` times.
  virtual void run(std::size_t iterations) = 0;
  /// Of the last run, in packet order.
  [[nodiscard]] virtual std::vector<Icv> icvs() const = 0;
};

/// The load must outlive them all, and `choice` the engine.
std::unique_ptr<Authenticator> make_engine(const BurstLoad& load, const hmac::BackendChoice& choice);
std::unique_ptr<Authenticator> make_openssl(const BurstLoad& load);
/// One for each manager this CPU allows: "ipsec-mb-sse", "ipsec-mb-avx2", "ipsec-mb-avx512".
std::vector<std::unique_ptr<Authenticator>> make_ipsec_mb(const BurstLoad& load);

}  // namespace gate96::bench
