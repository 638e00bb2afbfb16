// SPDX-License-Identifier: BSD-3-Clause
// Runs gate96-bench as a user does: files, exit codes, silence in a pipe. Never how fast.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

class Commands : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "gate96-bench-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
  }
  void TearDown() override { fs::remove_all(dir_); }

  /// The exit code; stdout and stderr go to the files out and err.
  int bench(const std::string& arguments) {
    const std::string line =
        std::string(GATE96_BENCH) + " " + arguments + " >" + file("out") + " 2>" + file("err");
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (dir_ / name).string(); }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream in(file(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// Runs with --quick --json and gives the rows back, their shape checked.
  nlohmann::json rows_of(const std::string& arguments) {
    EXPECT_EQ(bench(arguments + " --quick --json " + file("rows.json")), 0) << text("err");
    EXPECT_EQ(text("err"), "");
    const nlohmann::json report = nlohmann::json::parse(text("rows.json"));
    EXPECT_FALSE(report.at("rows").empty());
    for (const nlohmann::json& row : report.at("rows")) check_row(row);
    return report.at("rows");
  }

 private:
  static void check_row(const nlohmann::json& row) {
    for (const char* field : {"bench", "backend", "rival"}) EXPECT_TRUE(row.at(field).is_string()) << row;
    for (const char* field : {"n", "update"}) EXPECT_TRUE(row.at(field).is_number_unsigned()) << row;
    EXPECT_TRUE(row.at("size").is_number_unsigned() || row.at("size") == "imix") << row;
    EXPECT_TRUE(row.at("noisy").is_boolean()) << row;
    for (const char* field : {"ns", "core_cpb"}) EXPECT_GT(row.at(field).get<double>(), 0) << row;
    EXPECT_GE(row.at("spread").get<double>(), 0);
    const double rival_ns = row.at("rival_ns").get<double>();
    EXPECT_EQ(rival_ns > 0, row.at("rival") != "") << row;
    EXPECT_NEAR(row.at("ratio").get<double>(), rival_ns / row.at("ns").get<double>(), 1e-9) << row;
  }

  fs::path dir_;
};

TEST_F(Commands, Sha1) {
  std::set<std::string> benches;
  for (const auto& row : rows_of("sha1 --sizes 64")) {
    benches.insert(row.at("bench").get<std::string>());
    EXPECT_TRUE(row.at("rival") == "openssl" || row.at("backend") == "sha_ni_x2");
  }
  EXPECT_EQ(benches, (std::set<std::string>{"blocks", "sha1"}));
  EXPECT_NE(text("out").find("core cycles from"), std::string::npos);
}

TEST_F(Commands, TcryptHasTheKernelsRows) {
  const nlohmann::json rows = rows_of("sha1 --tcrypt --backends generic,generic");
  ASSERT_EQ(rows.size(), 22u);
  EXPECT_EQ(rows[0].at("size"), 16);
  EXPECT_EQ(rows[0].at("update"), 16);
  EXPECT_EQ(rows[20].at("size"), 8192);
  EXPECT_EQ(rows[20].at("update"), 4096);
}

TEST_F(Commands, ColdHasAHotRowForEachColdOne) {
  int cold = 0;
  int hot = 0;
  for (const auto& row : rows_of("cold --sizes 64 --backends generic")) {
    cold += row.at("bench") == "cold" ? 1 : 0;
    hot += row.at("bench") == "hot" ? 1 : 0;
  }
  EXPECT_EQ(cold, 1);
  EXPECT_EQ(hot, 1);
}

TEST_F(Commands, FootprintGivesCodeBytes) {
  const nlohmann::json rows = rows_of("footprint");
  EXPECT_EQ(rows.size() % 4, 0u);  // hot and cold at two sizes
  for (const auto& row : rows) EXPECT_GT(row.at("code_bytes").get<int>(), 100) << row;
}

TEST_F(Commands, Workloads) {
  EXPECT_EQ(rows_of("urandom --backends generic").at(0).at("size"), 128);
  std::ofstream(file("sizes")) << "10\n20\n60\n";
  EXPECT_EQ(rows_of("objects --backends generic --list " + file("sizes")).at(0).at("size"), 30);
}

TEST_F(Commands, BurstHasARowForEachRivalAndPoint) {
  std::multiset<std::string> points;
  for (const auto& row : rows_of("burst --sizes 64,imix --n 1,3")) {
    const std::string rival = row.at("rival");
    points.insert(rival.substr(0, 8) + " " + row.at("size").dump() + " " + row.at("n").dump());
  }
  const std::multiset<std::string> right = {
      "ipsec-mb \"imix\" 1", "ipsec-mb \"imix\" 3", "ipsec-mb 64 1", "ipsec-mb 64 3",
      "openssl \"imix\" 1",  "openssl \"imix\" 3",  "openssl 64 1",  "openssl 64 3"};
  EXPECT_EQ(points, right);
}

TEST_F(Commands, CsvAndPlotAreWritten) {
  ASSERT_EQ(bench("burst --quick --sizes 64 --n 1,2 --csv " + file("rows.csv") + " --plot " + file("p.svg")),
            0)
      << text("err");
  EXPECT_NE(text("rows.csv").find("ipsec-mb"), std::string::npos);
  EXPECT_NE(text("p.svg").find("<svg"), std::string::npos);
}

TEST_F(Commands, CompareNamesTheRowThatGotSlower) {
  const std::string arguments = "urandom --quick --backends generic ";
  ASSERT_EQ(bench(arguments + "--json " + file("now.json")), 0);
  nlohmann::json old = nlohmann::json::parse(text("now.json"));
  nlohmann::json& row = old.at("rows").at(0);
  for (const char* field : {"ns", "q1_ns", "q3_ns"}) row[field] = row.at(field).get<double>() / 1000;
  std::ofstream(file("old.json")) << old;
  EXPECT_EQ(bench(arguments + "--threshold 5% --compare " + file("old.json")), 1);
  EXPECT_NE(text("out").find("slower: urandom generic"), std::string::npos);
  for (const char* field : {"ns", "q1_ns", "q3_ns"}) row[field] = row.at(field).get<double>() * 1e6;
  std::ofstream(file("old.json")) << old;
  EXPECT_EQ(bench(arguments + "--compare " + file("old.json")), 0);
}

TEST_F(Commands, WrongUsageIsTwo) {
  for (const char* arguments :
       {"", "nonsense", "sha1 --backends nonsense", "sha1 --tcrypt --backends generic", "burst --n 257",
        "burst --backends nonsense", "burst --n 0", "burst --sizes big", "burst --sizes 0", "sha1 --sizes 0",
        "sha1 --threshold much", "urandom --compare /none"}) {
    EXPECT_EQ(bench(arguments), 2) << arguments;
  }
  EXPECT_EQ(bench("--help"), 0);
}

TEST_F(Commands, UnwritableFileIsOne) {
  EXPECT_EQ(bench("urandom --quick --backends generic --json /nonexistent/rows.json"), 1);
  EXPECT_NE(text("err").find("/nonexistent/rows.json"), std::string::npos);
}

#ifdef GATE96_BENCH_PATH
TEST_F(Commands, FpuScenariosEachComeWithAVerdict) {
  ASSERT_EQ(bench("fpu --scenario all --quick --json " + file("rows.json") + " --plot " + file("plot.svg")),
            0)
      << text("err");
  EXPECT_EQ(text("err"), "");
  EXPECT_NE(text("plot.svg").find("</svg>"), std::string::npos);
  const nlohmann::json report = nlohmann::json::parse(text("rows.json"));
  std::set<std::string> names;
  for (const nlohmann::json& row : report.at("rows")) {
    names.insert(row.at("scenario").get<std::string>());
    EXPECT_TRUE((std::set<std::string>{"shows", "absent", "unresolved"}).contains(row.at("verdict"))) << row;
    EXPECT_GT(row.at("mpps").get<double>(), 0) << row;
    EXPECT_LE(row.at("p50_us").get<double>(), row.at("p99_us").get<double>()) << row;
    for (const char* field : {"size", "max_section_ns", "reordered", "saves", "restores"}) {
      EXPECT_TRUE(row.at(field).is_number_unsigned()) << field << row;
    }
  }
  EXPECT_EQ(names.size(), 10U);
}

TEST_F(Commands, FpuGridHasTheShareOfVectorCodeThatItsProfilesGive) {
  ASSERT_EQ(bench("fpu --quick --profiles always,never --workloads gateway --sizes 64,9000 --json " +
                  file("rows.json")),
            0)
      << text("err");
  const nlohmann::json report = nlohmann::json::parse(text("rows.json"));
  ASSERT_EQ(report.at("rows").size(), 8U);
  for (const nlohmann::json& row : report.at("rows")) {
    EXPECT_EQ(row.at("simd_share").get<double>(), row.at("profile") == "always" ? 1 : 0) << row;
  }
  EXPECT_EQ(bench("fpu --scenario nonesuch"), 2);
}

TEST_F(Commands, PathComparesWithTheFpuStageCompiledOut) {
  ASSERT_EQ(
      bench("path --fpu-stage --cases protect,verify --sizes 64 --sas 1 --quick --json " + file("rows.json")),
      0)
      << text("err");
  const nlohmann::json report = nlohmann::json::parse(text("rows.json"));
  ASSERT_EQ(report.at("rows").size(), 2U);
  for (const nlohmann::json& row : report.at("rows")) {
    EXPECT_LE(row.at("fpu_percent_low").get<double>(), row.at("fpu_percent").get<double>()) << row;
    EXPECT_LE(row.at("fpu_percent").get<double>(), row.at("fpu_percent_high").get<double>()) << row;
  }
}
#endif

}  // namespace
