// SPDX-License-Identifier: Apache-2.0
#include "divns/command.h"
#include "divns/verbs.h"

int main(int argc, char** argv) {
  return divns::app::run_command_line(argc, argv, [](divns::app::Command root) {
    divns::app::add_data_verbs(root);
    divns::app::add_evaluate_verb(root);
    divns::app::add_recommend_verb(root);
    divns::app::add_similar_verb(root);
    divns::app::add_export_verb(root);
  });
}
