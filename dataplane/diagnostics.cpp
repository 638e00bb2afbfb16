// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/diagnostics.h"

#include <nlohmann/json.hpp>

namespace gate96 {

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) text += diagnostic.file + ":";
  if (diagnostic.line != 0) text += std::to_string(diagnostic.line) + ":";
  if (!text.empty()) text += " ";
  if (diagnostic.severity == Severity::kWarning) text += "warning: ";
  text += diagnostic.key;
  if (!diagnostic.value.empty()) text += " = " + diagnostic.value;
  if (!diagnostic.key.empty()) text += ": ";
  return text + diagnostic.message;
}

std::string to_json(const Diagnostics& diagnostics) {
  auto list = nlohmann::ordered_json::array();
  for (const Diagnostic& d : diagnostics) {
    list.push_back({{"file", d.file},
                    {"line", d.line},
                    {"key", d.key},
                    {"value", d.value},
                    {"message", d.message},
                    {"severity", d.severity == Severity::kError ? "error" : "warning"}});
  }
  // A file name or a value may hold bytes that are no UTF-8; they must not end the report.
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace gate96
