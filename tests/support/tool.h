// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "base/files.h"
#include "support/temp_folder.h"

namespace divns::testing {

struct ToolResult {
  int code = 0;
  std::string out;
  std::string err;
};

// Runs `divns ARGUMENTS` through the shell.
inline ToolResult run_tool(const std::string& arguments) {
  const TempFolder folder;
  const std::string command = std::string(DIVNS_TOOL) + " " + arguments + " >" +
                              folder.file("out") + " 2>" + folder.file("err");
  const int status = std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe)
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text_file(folder.path() / "out"),
          read_text_file(folder.path() / "err")};
}

}  // namespace divns::testing
