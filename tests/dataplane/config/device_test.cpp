// SPDX-License-Identifier: BSD-3-Clause
// Every form that port.device may have, and what is said of others.
#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

std::vector<std::string> said_of(const std::string& device) {
  const Edit edit{"device", "af_packet:lan0", device, {}};
  return said(parse_config(edited(edit), "gw.toml").diagnostics());
}

TEST(Device, good_forms) {
  for (const char* const device :
       {"af_packet:eth0", "af_packet:enp3s0f1.100", "tap:gw0", "af_xdp:veth-a", "pcap:in.pcap,out.pcap",
        "null", "pci:0000:03:00.0", "pci:03:00.1", "net_ring0", "net_af_packet0,iface=eth0,framecnt=4096",
        "net_pcap1,rx_pcap=a", "net_virtio_user0,path=/run/vhost.sock"}) {
    EXPECT_EQ(said_of(device), std::vector<std::string>{}) << device;
  }
}

struct Wrong {
  const char* device;
  const char* message;
};

constexpr char kForms[] =
    "must be \"af_packet:IFACE\", \"tap:NAME\", \"af_xdp:IFACE\", \"pcap:IN,OUT\", \"null\", "
    "\"pci:ADDRESS\", or DPDK "
    "devargs such as \"net_ring0\"";

TEST(Device, wrong_forms) {
  const std::string forms = kForms;
  const std::pair<const char*, std::string> cases[] = {
      {"af-packet:eth0", "no known kind of device; did you mean \"af_packet\"?; " + forms},
      {"AF_PACKET:eth0", "no known kind of device; did you mean \"af_packet\"?; " + forms},
      {"afpacket:eth0", "no known kind of device; did you mean \"af_packet\"?; " + forms},
      {"xdp", "no known kind of device; " + forms},
      {"eth0", "no known kind of device; " + forms},
      {"", "no known kind of device; " + forms},
      {"0000:03:00.0", "no known kind of device; " + forms},
      {"af_packet", "must be \"af_packet:IFACE\" with an interface name of 1 to 15 characters"},
      {"af_packet:", "must be \"af_packet:IFACE\" with an interface name of 1 to 15 characters"},
      {"af_packet:a-name-of-16-chr",
       "must be \"af_packet:IFACE\" with an interface name of 1 to 15 characters"},
      {"tap:a/b", "must be \"tap:NAME\" with an interface name of 1 to 15 characters"},
      {"pcap:in.pcap", "must be \"pcap:IN,OUT\" with two capture files, one to read and one to write"},
      {"pci:03:00", "must be \"pci:ADDRESS\" with a PCI address such as 0000:03:00.0"},
      {"pci:03:20.0", "must be \"pci:ADDRESS\" with a PCI address such as 0000:03:00.0"},
      {"null:0", "must be \"null\" alone"},
  };
  for (const auto& [device, message] : cases) {
    const std::vector<std::string> expected{"gw.toml:6: port.device = \"" + std::string(device) +
                                            "\": " + message};
    EXPECT_EQ(said_of(device), expected);
  }
}

TEST(Device, a_very_long_one_is_refused_before_it_is_matched) {
  EXPECT_EQ(said_of("net_" + std::string(100'000, 'a')).size(), 1U);
}

}  // namespace
}  // namespace gate96::test
