// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "verbs.h"

int main(int argc, char** argv) {
  return divns::app::run_command_line(argc, argv, divns::app::declare_verbs);
}
