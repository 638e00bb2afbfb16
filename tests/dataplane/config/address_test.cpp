// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/address.h"

#include <gtest/gtest.h>

namespace gate96 {
namespace {

TEST(IpAddress, prints_what_it_parsed_in_the_form_of_rfc_5952) {
  for (const char* const text : {"0.0.0.0", "192.0.2.1", "255.255.255.255", "::", "::1", "2001:db8::1",
                                 "ff02::5", "fe80::1:2:3:4", "::ffff:192.0.2.1"}) {
    const auto address = IpAddress::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->to_string(), text);
  }
  EXPECT_EQ(IpAddress::parse("2001:DB8:0:0:0:0:0:1")->to_string(), "2001:db8::1");
}

TEST(IpAddress, refuses_what_is_no_whole_address) {
  for (const std::string_view text :
       {"", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4/24",
        "::1::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "fe80::1%eth0", "g::"}) {
    EXPECT_FALSE(IpAddress::parse(text)) << text;
  }
  EXPECT_FALSE(IpAddress::parse(std::string_view("1.2.3.4\0", 8)));
  EXPECT_FALSE(IpAddress::parse(std::string(1000, '1')));
}

TEST(IpAddress, knows_its_kind) {
  EXPECT_TRUE(IpAddress::parse("224.0.0.5")->is_multicast());
  EXPECT_TRUE(IpAddress::parse("239.255.255.255")->is_multicast());
  EXPECT_FALSE(IpAddress::parse("223.255.255.255")->is_multicast());
  EXPECT_FALSE(IpAddress::parse("240.0.0.0")->is_multicast());
  EXPECT_TRUE(IpAddress::parse("ff02::5")->is_multicast());
  EXPECT_TRUE(IpAddress::parse("fe80::1")->is_link_local());
  EXPECT_TRUE(IpAddress::parse("febf::1")->is_link_local());
  EXPECT_FALSE(IpAddress::parse("fec0::1")->is_link_local());
  EXPECT_TRUE(IpAddress::parse("169.254.0.1")->is_link_local());
}

TEST(IpPrefix, contains_its_range_to_the_edge) {
  const auto in = [](const char* prefix, const char* address) {
    return IpPrefix::parse(prefix)->contains(*IpAddress::parse(address));
  };
  EXPECT_TRUE(in("10.1.0.0/23", "10.1.1.255"));
  EXPECT_FALSE(in("10.1.0.0/23", "10.1.2.0"));
  EXPECT_FALSE(in("10.1.0.0/23", "10.0.255.255"));
  EXPECT_TRUE(in("0.0.0.0/0", "255.0.0.1"));
  EXPECT_FALSE(in("0.0.0.0/0", "::1"));
  EXPECT_TRUE(in("10.1.0.1/32", "10.1.0.1"));
  EXPECT_FALSE(in("10.1.0.1/32", "10.1.0.0"));
  EXPECT_TRUE(in("2001:db8::/33", "2001:db8:7fff::1"));
  EXPECT_FALSE(in("2001:db8::/33", "2001:db8:8000::1"));
}

TEST(IpPrefix, keeps_host_bits_until_asked_for_the_network) {
  const auto prefix = IpPrefix::parse("10.1.2.3/22");
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->to_string(), "10.1.2.3/22");
  EXPECT_EQ(prefix->network().to_string(), "10.1.0.0/22");
  EXPECT_EQ(IpPrefix::parse("2001:db8::1")->len, 128);
  EXPECT_EQ(IpPrefix::parse("10.1.2.3")->len, 32);
}

TEST(IpPrefix, refuses_bad_lengths) {
  for (const char* const text :
       {"10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8 ", "10.0.0.0/0x8",
        "10.0.0.0/8/8", "/8", "10.0.0.0/4294967304"}) {
    EXPECT_FALSE(IpPrefix::parse(text)) << text;
  }
}

TEST(MacAddress, parses_colons_only) {
  EXPECT_EQ(MacAddress::parse("02:00:5E:10:00:fF")->to_string(), "02:00:5e:10:00:ff");
  for (const char* const text : {"", "02:00:5e:10:00", "02-00-5e-10-00-ff", "02:00:5e:10:00:fg",
                                 "02:00:5e:10:00:ff:00", "2:00:5e:10:00:ff0", "+2:00:5e:10:00:ff"}) {
    EXPECT_FALSE(MacAddress::parse(text)) << text;
  }
}

}  // namespace
}  // namespace gate96
