// SPDX-License-Identifier: Apache-2.0
#include "divns/command.h"
#include "divns/verbs.h"

int main(int argc, char** argv) {
  return divns::app::run_command_line(
      argc, argv, [](divns::app::Command root) { divns::app::add_data_verbs(root); });
}
