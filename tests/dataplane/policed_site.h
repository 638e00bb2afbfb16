// SPDX-License-Identifier: BSD-3-Clause
// Two sites without devices: packets go in by receive(), frames come out into a list.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/config_load.h"
#include "dataplane/worker.h"
#include "tests/dataplane/eal_environment.h"

namespace gate96::test {

using Frame = std::vector<std::uint8_t>;

inline constexpr unsigned kNumSas = 3;
inline constexpr std::uint8_t kLan = 0, kWan = 1;

/// Keeps what is sent.
class Sent : public Transmitter {
 public:
  std::uint16_t send(std::uint8_t /*port*/, rte_mbuf** packets, std::uint16_t num) override {
    for (std::uint16_t i = 0; i < num; ++i) {
      frames.push_back(bytes_of(packets[i]));
      rte_pktmbuf_free(packets[i]);
    }
    return num;
  }
  std::vector<Frame> frames;
};

/// A gateway's packet path under `fpu`, the lines of its section [fpu]. What arrives comes to the first
/// worker.
class PolicedSite {
 public:
  explicit PolicedSite(const Config& config);

  /// LAN 10.1/16, one SA to each of 10.2.0/24, 10.2.1/24, ...
  static PolicedSite sender(const std::string& fpu, unsigned num_workers = 1);
  /// The other end.
  static PolicedSite receiver(const std::string& fpu, unsigned num_workers = 1);

  void receive(std::uint8_t port, const std::vector<Frame>& frames, unsigned worker = 0);
  /// Each worker in turn takes over and drains once. False: none had anything to do.
  bool turn();
  /// In bursts, each followed by a turn, and turns until nothing is held.
  std::vector<Frame> run(std::uint8_t port, const std::vector<Frame>& frames, std::size_t burst = 16);

  [[nodiscard]] Worker& worker(unsigned index = 0) { return *workers_[index]; }
  [[nodiscard]] const Tables& tables() const { return *tables_; }
  /// All frames: those of the first worker, then those of the next.
  [[nodiscard]] std::vector<Frame> sent() const;
  [[nodiscard]] std::uint64_t ended(Verdict verdict) const;
  [[nodiscard]] const fpu::Counters& fpu(unsigned worker = 0) const {
    return workers_[worker]->fpu().counters();
  }
  [[nodiscard]] std::uint64_t sum(fpu::Counter fpu::Counters::*counter) const;
  /// Packets in less packets out, drops and held.
  [[nodiscard]] std::int64_t balance() const;

 private:
  std::unique_ptr<std::vector<PortInfo>> infos_;
  std::unique_ptr<Tables> tables_;
  std::unique_ptr<Handover> handover_;
  std::unique_ptr<IcvExchange> exchange_;
  std::vector<std::unique_ptr<Sent>> sent_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

/// UDP from the sender's LAN to the receiver's, all SAs in turn, with bodies of many lengths.
[[nodiscard]] std::vector<Frame> lan_frames(std::size_t num);

inline constexpr std::size_t kNumFrames = 200;

/// lan_frames(kNumFrames), and what one worker sends for them when nothing is forbidden. fpu_path_test.cpp
/// judges the latter by OpenSSL.
[[nodiscard]] const std::vector<Frame>& frames();
[[nodiscard]] const std::vector<Frame>& sealed();

inline constexpr std::size_t kEspAt = 14 + 20;  // in a sealed frame

/// Sealed frames of each SA, in the order in which they are.
[[nodiscard]] std::vector<std::vector<Frame>> by_sa(const std::vector<Frame>& frames);
[[nodiscard]] std::vector<Frame> sorted(std::vector<Frame> frames);

/// Of every FPU profile there is.
[[nodiscard]] std::vector<std::string_view> profile_names();

/// The 20 bytes that key SA `sa`.
[[nodiscard]] std::vector<std::uint8_t> key_of(unsigned sa);

}  // namespace gate96::test
