// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/row.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace gate96::bench {
namespace {

void write_file(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file));
}

std::string csv_field(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::optional<Size> Size::parse(const std::string& text) {
  if (text == "imix") return Size{.bytes = 0, .imix = true};
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return Size{.bytes = bytes};
}

std::string Row::identity() const {
  const bool ipsec_mb = rival.starts_with("ipsec-mb");
  return fmt::format("{} {} against {} n={} size={} update={}", bench, backend,
                     ipsec_mb        ? "ipsec-mb"
                     : rival.empty() ? "none"
                                     : rival,
                     n, size.to_string(), update);
}

void set_figures(Row& row, double bytes, const Measured& ours, const Measured* rival) {
  row.ns = ours.ns.median;
  row.best_ns = ours.ns.best;
  row.q1_ns = ours.ns.q1;
  row.q3_ns = ours.ns.q3;
  row.core_cpb = ours.cycles.median / bytes;
  row.spread = ours.ns.spread();
  row.samples = ours.ns.num;
  row.noisy = ours.noisy;
  if (rival == nullptr) return;
  row.rival_ns = rival->ns.median;
  row.rival_best_ns = rival->ns.best;
  row.rival_core_cpb = rival->cycles.median / bytes;
  row.ratio = rival->ns.median / ours.ns.median;
  row.resolved = !overlap(ours.ns, rival->ns);
  row.spread = std::max(row.spread, rival->ns.spread());
  row.samples = std::min(row.samples, rival->ns.num);
  row.noisy = row.noisy || rival->noisy;
}

std::string rival_name(const Row& row) {
  if (row.rival.empty()) return "-";
  return row.rival_isa.empty() ? row.rival : row.rival + " " + row.rival_isa;
}

std::string verdict(const Row& row) {
  if (row.rival.empty()) return "";
  if (!row.resolved) return "not resolved";
  return row.ratio > 1 ? "faster" : "slower";
}

void to_json(nlohmann::json& out, const Row& row) {
  out = {{"bench", row.bench},
         {"backend", row.backend},
         {"rival", row.rival},
         {"rival_isa", row.rival_isa},
         {"n", row.n},
         {"update", row.update},
         {"ns", row.ns},
         {"best_ns", row.best_ns},
         {"q1_ns", row.q1_ns},
         {"q3_ns", row.q3_ns},
         {"rival_ns", row.rival_ns},
         {"rival_best_ns", row.rival_best_ns},
         {"ratio", row.ratio},
         {"resolved", row.resolved},
         {"core_cpb", row.core_cpb},
         {"rival_core_cpb", row.rival_core_cpb},
         {"spread", row.spread},
         {"samples", row.samples},
         {"noisy", row.noisy},
         {"code_bytes", row.code_bytes}};
  if (row.size.imix) {
    out["size"] = "imix";
  } else {
    out["size"] = row.size.bytes;
  }
}

void from_json(const nlohmann::json& in, Row& row) {
  in.at("bench").get_to(row.bench);
  in.at("backend").get_to(row.backend);
  in.at("rival").get_to(row.rival);
  in.at("n").get_to(row.n);
  in.at("update").get_to(row.update);
  const nlohmann::json& size = in.at("size");
  row.size = size.is_string() ? Size{.bytes = 0, .imix = true} : Size{.bytes = size.get<std::size_t>()};
  in.at("ns").get_to(row.ns);
  in.at("q1_ns").get_to(row.q1_ns);
  in.at("q3_ns").get_to(row.q3_ns);
  in.at("rival_ns").get_to(row.rival_ns);
  in.at("ratio").get_to(row.ratio);
  in.at("core_cpb").get_to(row.core_cpb);
  in.at("spread").get_to(row.spread);
  in.at("noisy").get_to(row.noisy);
  row.rival_isa = in.value("rival_isa", "");
  row.best_ns = in.value("best_ns", 0.0);
  row.rival_best_ns = in.value("rival_best_ns", 0.0);
  row.rival_core_cpb = in.value("rival_core_cpb", 0.0);
  row.resolved = in.value("resolved", false);
  row.samples = in.value("samples", std::size_t{0});
  row.code_bytes = in.value("code_bytes", std::size_t{0});
}

nlohmann::json to_report(const Machine& machine, const std::vector<Row>& rows) {
  return {{"program", "gate96-bench"}, {"command", machine.command},
          {"cpu", machine.cpu},        {"core_cycles_from", machine.cycle_source},
          {"tsc_hz", machine.tsc_hz},  {"rows", rows}};
}

void write_json(const std::string& file, const Machine& machine, const std::vector<Row>& rows) {
  write_file(file, to_report(machine, rows).dump(1) + "\n");
}

void write_csv(const std::string& file, const std::vector<Row>& rows) {
  write_file(file, to_csv(rows));
}

std::vector<Row> read_json(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(fmt::format("cannot read {}", file));
  try {
    return nlohmann::json::parse(in).at("rows").get<std::vector<Row>>();
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", file, error.what()));
  }
}

std::string to_csv(const std::vector<Row>& rows) {
  std::string text;
  const nlohmann::json names = Row{};
  for (const auto& field : names.items()) {
    if (!text.empty()) text += ',';
    text += field.key();
  }
  for (const Row& row : rows) {
    const nlohmann::json values = row;
    char separator = '\n';
    for (const auto& field : values.items()) {
      text += separator;
      text += csv_field(field.value());
      separator = ',';
    }
  }
  return text + '\n';
}

}  // namespace gate96::bench
