// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/bench/plot.h"

namespace gate96::bench {
namespace {

Row imix_row() {
  Row row{.bench = "burst", .backend = "auto", .rival = "ipsec-mb-sse", .n = 8, .size = {.imix = true}};
  const Measured ours{.ns = summarise({98, 100, 102}), .cycles = summarise({294, 300, 306})};
  const Measured rival{.ns = summarise({190, 200, 230}), .cycles = summarise({570, 600, 690}), .noisy = true};
  set_figures(row, 60, ours, &rival);
  return row;
}

TEST(Size, IsBytesOrImix) {
  EXPECT_EQ(Size::parse("1420"), (Size{.bytes = 1420}));
  EXPECT_EQ(Size::parse("imix"), (Size{.imix = true}));
  for (const char* wrong : {"", "-1", "64B", "IMIX", " 64"})
    EXPECT_EQ(Size::parse(wrong), std::nullopt) << wrong;
}

TEST(Row, FiguresFollowFromTheSummaries) {
  const Row row = imix_row();
  EXPECT_DOUBLE_EQ(row.ns, 100);
  EXPECT_DOUBLE_EQ(row.best_ns, 98);
  EXPECT_DOUBLE_EQ(row.rival_ns, 200);
  EXPECT_DOUBLE_EQ(row.ratio, 2);     // twice as fast
  EXPECT_DOUBLE_EQ(row.core_cpb, 5);  // 300 cycles, 60 bytes
  EXPECT_DOUBLE_EQ(row.rival_core_cpb, 10);
  EXPECT_DOUBLE_EQ(row.spread, 0.1);  // of the rival: (215 - 195) / 200
  EXPECT_TRUE(row.noisy);
  EXPECT_TRUE(row.resolved);
  EXPECT_EQ(verdict(row), "faster");
}

TEST(Row, OverlappingIntervalsHaveNoWinner) {
  Row row{.bench = "sha1", .backend = "avx", .rival = "openssl"};
  const Measured ours{.ns = summarise({90, 100, 110})};
  const Measured rival{.ns = summarise({95, 106, 117})};
  set_figures(row, 64, ours, &rival);
  EXPECT_FALSE(row.resolved);
  EXPECT_EQ(verdict(row), "not resolved");
}

TEST(Row, IdentityLeavesOutWhichManagerWasBest) {
  Row row = imix_row();
  const std::string before = row.identity();
  row.rival = "ipsec-mb-avx512";
  EXPECT_EQ(row.identity(), before);
  row.rival = "openssl";
  EXPECT_NE(row.identity(), before);
  for (auto change :
       {+[](Row& r) { r.n = 9; }, +[](Row& r) { r.size = {.bytes = 64}; }, +[](Row& r) { r.update = 16; },
        +[](Row& r) { r.bench = "path"; }, +[](Row& r) { r.backend = "sha_ni"; }}) {
    Row other = imix_row();
    change(other);
    EXPECT_NE(other.identity(), before);
  }
}

TEST(Row, JsonIsFlatAndComesBack) {
  const nlohmann::json report = to_report({.cpu = "c", .cycle_source = "rol chain"}, {imix_row()});
  const nlohmann::json& row = report.at("rows").at(0);
  for (const auto& field : row.items()) EXPECT_TRUE(field.value().is_primitive()) << field.key();
  EXPECT_EQ(row.at("size"), "imix");
  EXPECT_EQ(row.at("n"), 8);
  EXPECT_EQ(row.at("rival"), "ipsec-mb-sse");
  EXPECT_EQ(report.at("core_cycles_from"), "rol chain");
  EXPECT_EQ(nlohmann::json(row.get<Row>()), row);
  Row fixed = imix_row();
  fixed.size = {.bytes = 64};
  EXPECT_EQ(nlohmann::json(fixed).at("size"), 64);
}

TEST(Row, CsvHasAsManyFieldsInEveryLine) {
  const std::string csv = to_csv({imix_row(), imix_row()});
  ASSERT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  const std::string header = csv.substr(0, csv.find('\n'));
  EXPECT_NE(header.find("rival_ns"), std::string::npos);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), ','), 3 * std::count(header.begin(), header.end(), ','));
  EXPECT_NE(csv.find(",imix,"), std::string::npos);
}

TEST(Plot, BurstsAreDrawnOverTheNumberOfPackets) {
  const std::string script = plot_script("f.svg", {imix_row()});
  EXPECT_NE(script.find("title 'imix ipsec-mb'"), std::string::npos);
  EXPECT_NE(script.find("\n8 2.0000\ne\n"), std::string::npos);
}

}  // namespace
}  // namespace gate96::bench
