// SPDX-License-Identifier: BSD-3-Clause
#include "tests/dataplane/eal_environment.h"

#include <gtest/gtest.h>

#include <memory>

#include "dataplane/eal.h"

namespace gate96 {
namespace {

class EalEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    Config config;
    make_offline(config, "test");
    config.eal.memory_mb = 256;
    eal_ = std::make_unique<Eal>(config);
    pool_ = make_packet_pool(config);
  }
  void TearDown() override {
    EXPECT_EQ(rte_mempool_in_use_count(pool_), 0u) << "a test has lost packet buffers";
    eal_.reset();
  }
  [[nodiscard]] rte_mempool* pool() const { return pool_; }

 private:
  std::unique_ptr<Eal> eal_;
  rte_mempool* pool_ = nullptr;
};

EalEnvironment* environment = nullptr;

}  // namespace

rte_mempool* test_pool() {
  return environment->pool();
}

}  // namespace gate96

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  gate96::environment = new gate96::EalEnvironment;  // GoogleTest owns it from here
  testing::AddGlobalTestEnvironment(gate96::environment);
  return RUN_ALL_TESTS();
}
