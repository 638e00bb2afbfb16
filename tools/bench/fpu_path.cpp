// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/fpu_path.h"

#include <fmt/format.h>
#include <pthread.h>
#include <rte_ip.h>
#include <sched.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "dataplane/config_load.h"
#include "dataplane/icv_exchange.h"
#include "dataplane/wire_format.h"
#include "dataplane/worker.h"
#include "fpu/clock.h"
#include "tools/bench/measure.h"

namespace gate96::bench {
namespace {

constexpr unsigned kNumSas = 8;
constexpr unsigned kRing = 1024;  // descriptors of the receive ring that an open loop fills
constexpr std::uint32_t kMarks = 1 << 16;

constexpr const char* kHead = R"([[port]]
name = "lan"
device = "null"
role = "protected"
addresses = ["10.1.0.1/16"]
mtu = 9600
[[port]]
name = "wan"
device = "null"
role = "unprotected"
addresses = ["192.0.2.1/24"]
mtu = 9600
neighbours = [{ address = "192.0.2.2", mac = "02:00:00:00:00:02" }]
[[route]]
to = "10.2.0.0/16"
via = "192.0.2.2"
port = "wan"
)";

constexpr const char* kSa = R"([[sa]]
name = "sa{n}"
direction = "out"
spi = {spi}
mode = "tunnel"
src = "192.0.2.1"
dst = "192.0.2.2"
key = "7f3a90c4d1e85b26aa04f7139cde6b825510e4d{n}"
[[policy]]
direction = "out"
src = "10.1.0.0/16"
dst = "10.2.{n}.0/24"
action = "protect"
sa = "sa{n}"
)";

Config make_config() {
  std::string text = kHead;
  for (unsigned n = 0; n < kNumSas; ++n)
    text += fmt::format(kSa, fmt::arg("n", n), fmt::arg("spi", 0x1000 + n));
  auto config = parse_config(text, "gate96-bench");
  if (!config) throw std::runtime_error(to_json(config.diagnostics()));
  make_offline(*config, "bench");
  return *config;
}

/// Ethernet, IPv4 and UDP headers; the body is whatever the buffer held.
struct [[gnu::packed]] Headers {
  EtherHeader ether;
  Ipv4Header ip;
  std::uint8_t udp[8];
};

Headers make_headers(std::size_t size, unsigned sa) {
  Headers h{};
  h.ether.type = rte_cpu_to_be_16(kEtherTypeIpv4);
  h.ip = {0x45,
          0,
          rte_cpu_to_be_16(static_cast<std::uint16_t>(size)),
          0,
          0,
          64,
          kProtoUdp,
          0,
          {10, 1, 0, 2},
          {10, 2, static_cast<std::uint8_t>(sa), 2}};
  h.ip.checksum = rte_ipv4_cksum(reinterpret_cast<const rte_ipv4_hdr*>(&h.ip));
  const std::size_t udp_len = size - sizeof h.ip;
  h.udp[1] = h.udp[3] = 7;
  h.udp[4] = static_cast<std::uint8_t>(udp_len >> 8);
  h.udp[5] = static_cast<std::uint8_t>(udp_len);
  return h;
}

/// Notes how long each packet took, and frees it.
class Clocked : public Transmitter {
 public:
  /// Ticks at which a packet arrived, kept under the number that it carries.
  std::uint32_t mark(std::uint64_t arrived) {
    next_ = next_ % kMarks + 1;
    arrived_[next_ - 1] = arrived;
    return next_;
  }
  std::uint16_t send(std::uint8_t, rte_mbuf** packets, std::uint16_t num) override {
    const std::uint64_t now = fpu::ticks();
    for (std::uint16_t i = 0; i < num; ++i) {
      took.push_back(static_cast<std::uint32_t>(now - arrived_[info(packets[i]).number - 1]));
    }
    rte_pktmbuf_free_bulk(packets, num);
    return num;
  }
  std::vector<std::uint32_t> took;

 private:
  std::vector<std::uint64_t> arrived_ = std::vector<std::uint64_t>(kMarks);
  std::uint32_t next_ = 0;
};

/// Hashes what another worker defers (fpu.defer_to = "lcores"), on a core of its own if there is one.
class Helper {
 public:
  Helper(const Config& config, const std::vector<PortInfo>& infos, rte_mempool* pool, const Tables& tables,
         IcvExchange* exchange)
      : worker_(config, infos, pool, none_, {.index = 1, .exchange = exchange}) {
    if (exchange == nullptr) return;
    thread_ = std::jthread([this, &tables](const std::stop_token& stop) {
      while (!stop.stop_requested()) static_cast<void>(worker_.drain(tables));
    });
    leave_core();
  }

  [[nodiscard]] const fpu::Context& fpu() const { return worker_.fpu(); }

 private:
  /// The thread that made us is pinned, and may have a priority that lets no other run on its core.
  void leave_core() {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    for (unsigned cpu = 0; cpu < std::thread::hardware_concurrency(); ++cpu) CPU_SET(cpu, &cpus);
    if (std::thread::hardware_concurrency() > 1) CPU_CLR(static_cast<unsigned>(sched_getcpu()), &cpus);
    pthread_setaffinity_np(thread_.native_handle(), sizeof cpus, &cpus);
  }

  Clocked none_;
  Worker worker_;
  std::jthread thread_;
};

class Loop {
 public:
  Loop(const Config& config, const std::vector<PortInfo>& infos, rte_mempool* pool, const Traffic& traffic)
      : traffic_(traffic),
        pool_(pool),
        tables_(config, infos),
        exchange_(config.fpu.defer_to == fpu::DeferTo::kLcores ? std::make_unique<IcvExchange>(2) : nullptr),
        helper_(config, infos, pool, tables_, exchange_.get()),
        worker_(config, infos, pool, clocked_, {.exchange = exchange_.get()}) {
    for (unsigned sa = 0; sa < kNumSas; ++sa) headers_.push_back(make_headers(traffic.size, sa));
    clocked_.took.reserve(1 << 20);
  }

  Run run() {
    const long preempted_before = times_preempted();
    const std::uint64_t start = fpu::ticks();
    const auto span = static_cast<std::uint64_t>(traffic_.seconds * 1e9 / fpu::ns_per_tick());
    if (traffic_.train > 0) {
      while (fpu::ticks() - start < span) run_train();
    } else if (traffic_.rate > 0) {
      run_open(start, span);
    } else {
      while (fpu::ticks() - start < span) {
        receive(traffic_.burst, [now = fpu::ticks()](unsigned) { return now; });
        worker_.drain(tables_);
      }
    }
    run_.seconds = static_cast<double>(fpu::ticks() - start) * fpu::ns_per_tick() * 1e-9;
    run_.preempted = times_preempted() != preempted_before;
    run_.sent = clocked_.took.size();  // what is still queued does not count
    finish();
    return run_;
  }

 private:
  template <class ArrivedAt>
  void receive(unsigned num, ArrivedAt&& arrived_at) {
    rte_mbuf* packets[kMaxPackets];
    if (rte_pktmbuf_alloc_bulk(pool_, packets, num) != 0) {
      run_.missed += num;
      return;
    }
    const auto len = static_cast<std::uint16_t>(sizeof(EtherHeader) + traffic_.size);
    for (unsigned i = 0; i < num; ++i) {
      rte_mbuf* m = packets[i];
      m->data_len = len;
      m->pkt_len = len;
      *rte_pktmbuf_mtod(m, Headers*) = headers_[run_.received++ % kNumSas];
      info(m).number = clocked_.mark(arrived_at(i));
    }
    worker_.receive(tables_, 0, packets, static_cast<std::uint16_t>(num));
  }

  /// Packets arrive by the clock, whether or not the one before is done.
  void run_open(std::uint64_t start, std::uint64_t span) {
    const double ticks_apart = 1e9 / fpu::ns_per_tick() / traffic_.rate;
    std::uint64_t num_taken = 0;
    for (std::uint64_t now = start; now - start < span; now = fpu::ticks()) {
      const auto due = static_cast<std::uint64_t>(static_cast<double>(now - start) / ticks_apart);
      if (due - num_taken > kRing) {
        run_.missed += due - num_taken - kRing;
        num_taken = due - kRing;
      }
      const auto num = static_cast<unsigned>(std::min<std::uint64_t>(due - num_taken, traffic_.burst));
      if (num > 0) {
        receive(num, [&](unsigned i) {
          return start + static_cast<std::uint64_t>(static_cast<double>(num_taken + i + 1) * ticks_apart);
        });
      }
      num_taken += num;
      worker_.drain(tables_);
    }
  }

  void run_train() {
    const std::uint64_t now = fpu::ticks();
    for (std::size_t left = traffic_.train; left > 0;) {
      const auto num = static_cast<unsigned>(std::min<std::size_t>(left, traffic_.burst));
      receive(num, [now](unsigned) { return now; });
      worker_.drain(tables_);
      left -= num;
    }
    worker_.drain_all();
  }

  void finish() {
    worker_.drain_all();
    for (std::size_t i = kFirstDrop; i < kNumVerdicts; ++i) run_.dropped += worker_.counters().ended[i].get();
    latencies();
    const fpu::Counters& c = worker_.fpu().counters();
    const fpu::Counters& h = helper_.fpu().counters();
    const auto simd = static_cast<double>(c.simd_bytes.get() + h.simd_bytes.get());
    const double hashed = simd + static_cast<double>(c.scalar_bytes.get() + h.scalar_bytes.get());
    run_.simd_share = hashed > 0 ? simd / hashed : 0;
    run_.asks = c.asks.get();
    run_.grants = c.grants();
    run_.saves = c.saves.get() + h.saves.get();
    run_.restores = c.restores.get() + h.restores.get();
    run_.reordered = c.reordered.get();
    run_.deferred = c.deferred.get();
    run_.overflow = c.overflow.get() + c.backlog_overflow.get();
    run_.waited = c.waited.get();
    run_.queue_high = c.queue_high.get();
    run_.max_section_ns = c.section_ns_max.get();
    run_.foreign_sections = c.foreign_sections.get();
    for (const fpu::Counter& counter : c.violations) run_.violations += counter.get();
    run_.state_ticks_per_packet = static_cast<double>(c.state_ticks.get()) /
                                  static_cast<double>(std::max<std::uint64_t>(1, run_.received));
  }

  void latencies() {
    std::vector<std::uint32_t>& took = clocked_.took;
    if (took.empty()) return;
    std::ranges::sort(took);
    const auto us = [&](double p) {
      return took[static_cast<std::size_t>(p * static_cast<double>(took.size() - 1))] * fpu::ns_per_tick() *
             1e-3;
    };
    run_.p50_us = us(0.5);
    run_.p99_us = us(0.99);
    run_.max_us = us(1);
  }

  Traffic traffic_;
  rte_mempool* pool_;
  Tables tables_;
  Clocked clocked_;
  std::unique_ptr<IcvExchange> exchange_;  // null: it hashes all itself
  Helper helper_;
  Worker worker_;
  std::vector<Headers> headers_;
  Run run_;
};

}  // namespace

FpuPath::FpuPath()
    : config_(make_config()), eal_(std::make_unique<Eal>(config_)), pool_(make_packet_pool(config_)) {
  infos_ = make_port_infos(config_);
  (void)fpu::ns_per_tick();
}

FpuPath::~FpuPath() = default;

Run FpuPath::run(const fpu::FpuConfig& fpu, const Traffic& traffic) {
  Config config = config_;
  config.fpu = fpu;
  config.gateway.workers = fpu.defer_to == fpu::DeferTo::kLcores ? 2 : 1;
  return std::make_unique<Loop>(config, infos_, pool_, traffic)->run();
}

}  // namespace gate96::bench
