// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/eal.h"

#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>
#include <sched.h>
#include <unistd.h>
#include <xdp/libxdp.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "dataplane/packet.h"

namespace gate96 {
namespace {

constexpr std::uint32_t kNumBuffers = 16383;  // 2^n - 1 wastes least in a mempool
constexpr std::uint32_t kCache = 256;         // buffers kept per lcore
constexpr std::uint32_t kTailroom = 512;      // ESP trailer, ICV, frame padding, and a VLAN tag or two

/// What the libraries below af_xdp say goes where DPDK's own words go, or they would write to standard error.
int say(bool is_warning, const char* format, va_list args) {
  return rte_vlog(is_warning ? RTE_LOG_WARNING : RTE_LOG_DEBUG, RTE_LOGTYPE_EAL, format, args);
}

int say_bpf(libbpf_print_level level, const char* format, va_list args) {
  return say(level == LIBBPF_WARN, format, args);
}

int say_xdp(libxdp_print_level level, const char* format, va_list args) {
  return say(level == LIBXDP_WARN, format, args);
}

bool mentions(const std::vector<std::string>& arguments, std::initializer_list<std::string_view> options) {
  return std::ranges::any_of(arguments, [&](const std::string& argument) {
    return std::ranges::any_of(options, [&](std::string_view option) {
      return argument == option || argument.starts_with(std::string(option) + "=");
    });
  });
}

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

std::string lcores(const GatewayConfig& gateway) {
  const std::vector<int> cpus = allowed_cpus();
  const std::string any = fmt::format("({})", fmt::join(cpus, ","));
  std::string text = "0@" + any;
  for (unsigned worker = 0; worker < gateway.workers; ++worker) {
    // CPU 0 of those allowed is left to the main lcore while there are enough.
    const std::string own = fmt::format("{}", cpus[(worker + 1) % cpus.size()]);
    text += fmt::format(",{}@{}", worker + 1, gateway.idle == Idle::kPoll ? own : any);
  }
  return text;
}

std::vector<std::string> arguments(const Config& config) {
  std::vector<std::string> args = {"gate96",
                                   "--no-shconf",
                                   "--file-prefix",
                                   "gate96-" + config.gateway.name,
                                   "-m",
                                   fmt::format("{}", config.eal.memory_mb)};
  if (!config.eal.hugepages) args.emplace_back("--no-huge");
  bool any_pci = false;
  for (const PortConfig& port : config.ports) {
    if (!port.device.starts_with("pci:")) continue;
    any_pci = true;
    args.insert(args.end(), {"-a", port.device.substr(4)});
  }
  if (!any_pci) args.emplace_back("--no-pci");
  if (!mentions(config.eal.extra, {"--lcores", "-l", "-c"})) {
    args.insert(args.end(), {"--lcores", lcores(config.gateway)});
  }
  if (!mentions(config.eal.extra, {"--log-level"})) args.emplace_back("--log-level=*:warning");
  args.insert(args.end(), config.eal.extra.begin(), config.eal.extra.end());
  return args;
}

std::string remedy(const Config& config) {
  return config.eal.hugepages
             ? "Are hugepages reserved (/proc/meminfo, HugePages_Free), mounted and enough for "
               "eal.memory_mb? "
               "eal.hugepages = false does without"
             : "Is there memory for eal.memory_mb, and are the arguments in eal.extra right?";
}

}  // namespace

EalLog::EalLog() : stream_(open_memstream(&buffer_, &len_)) {
  if (stream_ != nullptr) rte_openlog_stream(stream_);
}

EalLog::~EalLog() {
  rte_openlog_stream(nullptr);
  if (stream_ != nullptr) std::fclose(stream_);
  std::free(buffer_);
}

std::string EalLog::text() const {
  if (stream_ == nullptr) return {};
  std::fflush(stream_);
  std::istringstream lines(std::string(buffer_, len_));
  std::vector<std::string> texts;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) texts.push_back(line);
  }
  constexpr std::size_t kLast = 3;
  if (texts.size() > kLast) texts.erase(texts.begin(), texts.end() - kLast);
  return fmt::format("{}", fmt::join(texts, "; "));
}

Eal::Eal(const Config& config) {
  const EalLog log;
  std::vector<std::string> args = arguments(config);
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(arg.data());
  if (rte_eal_init(static_cast<int>(argv.size()), argv.data()) < 0) {
    throw std::runtime_error(
        fmt::format("DPDK does not start: {} ({}). {}", rte_strerror(rte_errno), log.text(), remedy(config)));
  }
  runtime_dir_ = rte_eal_get_runtime_dir();
  libbpf_set_print(say_bpf);
  libxdp_set_print(say_xdp);
  // DPDK's own lock is off: it comes with a file of shared state (--no-shconf) that nobody here needs.
  lock_ = std::make_unique<LockFile>(runtime_dir_ + "/gate96.lock");
  if (lock_->held()) return;
  rte_eal_cleanup();
  throw std::runtime_error(
      lock_->error() == EWOULDBLOCK
          ? fmt::format("gateway.name = \"{}\": another gate96 runs under this name; give each its own",
                        config.gateway.name)
          : fmt::format("{}: {}", lock_->path(), rte_strerror(lock_->error())));
}

Eal::~Eal() {
  rte_eal_cleanup();
  std::error_code ignored;
  std::filesystem::remove_all(runtime_dir_, ignored);
}

void make_offline(Config& config, std::string_view purpose) {
  config.gateway.name = fmt::format("{}-{}", purpose, getpid());
  config.gateway.workers = 0;
  config.eal = {};
  config.eal.extra = {"--no-telemetry", "--log-level=*:error"};
}

rte_mempool* make_packet_pool(const Config& config) {
  unsigned mtu = 0;
  for (const PortConfig& port : config.ports) mtu = std::max(mtu, port.mtu);
  const unsigned data_room = std::max(2048u, mtu + kMaxL2Len + kTailroom) + RTE_PKTMBUF_HEADROOM;
  // A third of the memory at most: jumbo frames make do with fewer buffers.
  const std::uint64_t budget = std::uint64_t{config.eal.memory_mb} * 1024 * 1024 / 3;
  const auto fit = static_cast<std::uint32_t>(budget / (data_room + kPacketInfoSize + sizeof(rte_mbuf) + 64));
  const std::uint32_t num = std::min(kNumBuffers, fit);
  if (num > 4 * kCache) {
    rte_mempool* pool = rte_pktmbuf_pool_create("packets", num, kCache, kPacketInfoSize,
                                                static_cast<std::uint16_t>(data_room), SOCKET_ID_ANY);
    if (pool != nullptr) return pool;
  }
  throw std::runtime_error(fmt::format(
      "packet buffers of {} bytes: {}; raise eal.memory_mb (now {})", data_room,
      num > 4 * kCache ? rte_strerror(rte_errno) : "room for too few of them", config.eal.memory_mb));
}

}  // namespace gate96
