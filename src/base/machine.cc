// SPDX-License-Identifier: Apache-2.0
#include "base/machine.h"

#include <fmt/format.h>

#include <fstream>
#include <thread>

namespace divns {

std::string machine_description() {
  std::string name = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
      name = line.substr(line.find(": ") + 2);
      break;
    }
  return fmt::format("{}, {} cores", name, std::thread::hardware_concurrency());
}

}  // namespace divns
