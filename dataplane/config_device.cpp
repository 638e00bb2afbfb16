// SPDX-License-Identifier: BSD-3-Clause
// The forms that port.device may have. The port layer turns them into DPDK devices.
#include <fmt/format.h>

#include <cctype>
#include <regex>

#include "dataplane/config_draft.h"

namespace gate96 {
namespace {

constexpr std::size_t kMaxDevice = 1024;  // std::regex recurses by length

struct Form {
  std::string_view kind;     // before the colon
  std::string_view form;     // as the user may write it
  const char* argument;      // a regular expression for what follows the colon; null: there is no colon
  std::string_view meaning;  // of the argument
};

constexpr char kInterface[] = "[^/:\\s]{1,15}";

constexpr Form kForms[] = {
    {"af_packet", "af_packet:IFACE", kInterface, "an interface name of 1 to 15 characters"},
    {"tap", "tap:NAME", kInterface, "an interface name of 1 to 15 characters"},
    {"af_xdp", "af_xdp:IFACE", kInterface, "an interface name of 1 to 15 characters"},
    {"pcap", "pcap:IN,OUT", "[^,]+,[^,]+", "two capture files, one to read and one to write"},
    {"null", "null", nullptr, ""},
    {"pci", "pci:ADDRESS", "([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[01][0-9a-fA-F]\\.[0-7]",
     "a PCI address such as 0000:03:00.0"},
};

std::string all_forms() {
  std::string text;
  for (const Form& form : kForms) text += fmt::format("\"{}\", ", form.form);
  return text + "or DPDK devargs such as \"net_ring0\"";
}

bool is_devargs(const std::string& device) {
  static const std::regex devargs("net_[a-z_0-9]*[a-z][0-9]*(,.*)?");
  return std::regex_match(device, devargs);
}

/// "AF-packet" is still af_packet to a reader.
std::string plain(std::string_view kind) {
  std::string text;
  for (const unsigned char c : kind) text += c == '-' ? '_' : static_cast<char>(std::tolower(c));
  return text;
}

void check_form(TableReader& table, const Form& form, std::string_view argument, bool has_colon) {
  if (form.argument == nullptr && has_colon) {
    table.error("device", fmt::format("must be \"{}\" alone", form.form));
  } else if (form.argument != nullptr &&
             !std::regex_match(argument.begin(), argument.end(), std::regex(form.argument))) {
    table.error("device", fmt::format("must be \"{}\" with {}", form.form, form.meaning));
  }
}

}  // namespace

void check_device(TableReader& table, const std::string& device) {
  if (device.size() > kMaxDevice) {
    table.error("device", fmt::format("must be at most {} bytes", kMaxDevice));
    return;
  }
  const std::size_t colon = device.find(':');
  const std::string kind = device.substr(0, colon);
  std::vector<std::string_view> kinds;
  for (const Form& form : kForms) {
    kinds.push_back(form.kind);
    if (kind != form.kind) continue;
    const bool has_colon = colon != device.npos;
    return check_form(table, form, has_colon ? std::string_view(device).substr(colon + 1) : "", has_colon);
  }
  if (is_devargs(device)) return;
  table.error("device", fmt::format("no known kind of device{}; must be {}", did_you_mean(plain(kind), kinds),
                                    all_forms()));
}

}  // namespace gate96
