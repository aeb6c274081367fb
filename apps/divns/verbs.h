// SPDX-License-Identifier: Apache-2.0
// One function a file of this folder; main.cc calls them in the order in which --help lists the
// verbs.
#pragma once

#include "divns/command.h"

namespace divns::app {

void add_data_verbs(Command root);

}  // namespace divns::app
