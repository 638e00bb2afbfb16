// SPDX-License-Identifier: BSD-3-Clause
// The gateway with two workers under load from captures, watched and reloaded while it runs.
// ThreadSanitizer's build says whether the threads are ordered (tools/check --sanitize); any build, whether
// the accounts balance. One gateway a process, as DPDK starts once: each test is a process of its own, told
// by --gtest_filter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "dataplane/config_load.h"
#include "dataplane/gateway.h"
#include "dataplane/status.h"
#include "tests/dataplane/temporary_folder.h"
#include "tests/dataplane/threads/traffic.h"

namespace gate96::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kNumInbound = 2000;  // ESP packets of each SA: its limit must move several times
constexpr int kNumRounds = 20;               // of looking at everything

constexpr const char* kHead = R"(
[gateway]
name = "threads-{pid}"
workers = 2
state_file = "state"
[eal]
extra = ["--mbuf-pool-ops-name=observed"]
[[port]]
name = "lan"
device = "net_pcap0,rx_pcap={dir}/lan.pcap,rx_pcap={dir}/lan.pcap,infinite_rx=1"
role = "protected"
addresses = ["10.1.0.1/16"]
neighbours = [{{ address = "10.1.0.2", mac = "02:00:00:00:00:01" }}]
[[port]]
name = "wan"
device = "net_pcap1,rx_pcap={dir}/wan.pcap,rx_pcap={dir}/wan.pcap"
role = "unprotected"
addresses = ["192.0.2.1/24"]
neighbours = [{{ address = "192.0.2.2", mac = "02:00:00:00:00:02" }}]
[[route]]
to = "10.2.0.0/16"
via = "192.0.2.2"
port = "wan"
[fpu]
{fpu}
)";

constexpr const char* kToLcores = "profile = \"never\"\nfallback = \"defer\"\ndefer_to = \"lcores\"";

constexpr const char* kSa = R"(
[[sa]]
name = "{way}{n}"
direction = "{way}"
spi = {spi}
mode = "tunnel"
src = "{src}"
dst = "{dst}"
key = "{key:02x}"
[[policy]]
direction = "{way}"
src = "{from}"
dst = "{to}"
action = "protect"
sa = "{way}{n}"
)";

class Threads : public testing::Test {
 protected:
  Threads() {
    write_lan(folder_.path("lan.pcap"));
    write_wan(folder_.path("wan.pcap"), kNumInbound);
    EXPECT_EQ(init_state(folder_.path("state")), "");
  }

  /// A configuration with so many SAs each way.
  std::string write_config(const std::string& name, unsigned num_sas, const std::string& fpu = "") {
    std::string text =
        fmt::format(kHead, fmt::arg("pid", getpid()), fmt::arg("dir", folder_.path()), fmt::arg("fpu", fpu));
    for (unsigned n = 0; n < num_sas; ++n) {
      const std::string far = fmt::format("10.2.{}.0/24", n);
      text += sa("out", n, kOutSpi + n, {"192.0.2.1", "192.0.2.2"}, {"10.1.0.0/16", far});
      text += sa("in", n, kInSpi + n, {"192.0.2.2", "192.0.2.1"}, {far, "10.1.0.0/16"});
    }
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }

  void start(const std::string& fpu) {
    Result<Config> config = load_config(write_config("gateway.toml", kNumSas, fpu));
    ASSERT_TRUE(config) << gate96::to_json(config.diagnostics());
    gateway_ = std::make_unique<Gateway>(*config);
    gateway_->start_workers();
  }

  nlohmann::json show(const char* what) { return nlohmann::json::parse(status_json(*gateway_, what)); }

  /// As the main thread does while the workers run.
  void look_at_everything() {
    for (const char* what : {"counters", "ports", "sa", "crypto", "fpu", "events"}) {
      EXPECT_FALSE(show(what).contains("error")) << what;
    }
    gateway_->housekeep();
    std::this_thread::sleep_for(5ms);
  }

  /// Until every inbound packet has come in, and some have gone out.
  void run_until_read() {
    const std::uint64_t all = 2 * std::uint64_t{kNumInbound} * kNumSas;
    while (show("ports")["ports"][1]["rx_packets"] < all || show("counters")["tx"] < 20'000)
      look_at_everything();
  }

  void stop() {
    gateway_->stop_workers();
    const auto counters = show("counters");
    EXPECT_EQ(counters["balance"], 0);
    EXPECT_GT(counters["handed_over"], 0);
  }

  void reload_under_load(const std::string& fpu) {
    const std::string fewer = write_config("fewer.toml", kNumSas - 1, fpu);
    const std::string all = write_config("all.toml", kNumSas, fpu);
    for (int round = 0; round < kNumRounds; ++round) {
      const auto reloaded = gateway_->reload(round % 2 == 0 ? fewer : all);
      EXPECT_EQ(reloaded.exit_code, 0);
      EXPECT_EQ(reloaded.num_kept, 2 * (kNumSas - 1));
      look_at_everything();
    }
    run_until_read();
    stop();
  }

  TemporaryFolder folder_;
  std::unique_ptr<Gateway> gateway_;

 private:
  static std::string sa(const char* way, unsigned n, std::uint32_t spi,
                        std::pair<const char*, const char*> ends, std::pair<std::string, std::string> nets) {
    return fmt::format(kSa, fmt::arg("way", way), fmt::arg("n", n), fmt::arg("spi", spi),
                       fmt::arg("src", ends.first), fmt::arg("dst", ends.second),
                       fmt::arg("key", fmt::join(key_of(spi), "")), fmt::arg("from", nets.first),
                       fmt::arg("to", nets.second));
  }
};

TEST_F(Threads, HandOver) {
  start("");
  run_until_read();
  stop();
}

TEST_F(Threads, DeferToSelf) {
  start("profile = \"linux-2.6.39\"\nworkload = \"busy-user-fpu\"\nfallback = \"defer\"");
  run_until_read();
  stop();
  EXPECT_GT(show("fpu")["drained"], 0);
  EXPECT_EQ(show("fpu")["reordered"], 0);
}

TEST_F(Threads, DeferToLcores) {
  start(kToLcores);
  run_until_read();
  stop();
  EXPECT_GT(show("fpu")["deferred"], 0);
  EXPECT_EQ(show("fpu")["reordered"], 0);
}

TEST_F(Threads, ReloadUnderLoad) {
  start("");
  reload_under_load("");
}

TEST_F(Threads, ReloadWhileDeferred) {
  start(kToLcores);
  reload_under_load(kToLcores);
}

// Workers stop in whatever order they come to it, with packets at each other.
TEST_F(Threads, StopAtOnce) {
  start(kToLcores);
  gateway_->stop_workers();
  EXPECT_EQ(show("counters")["balance"], 0);
}

TEST_F(Threads, StopUnderLoad) {
  start(kToLcores);
  while (show("counters")["handed_over"] == 0) look_at_everything();
  stop();
  EXPECT_EQ(show("fpu")["queue_depth"], 0);
}

}  // namespace
}  // namespace gate96::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
