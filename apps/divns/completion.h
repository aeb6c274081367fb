// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "command_tree.h"

namespace divns::app {

// A script that completes verbs, flags, values and files. Shell: bash or zsh. Sets up all verbs.
std::string completion_script(CommandNode& root, const std::string& shell);

}  // namespace divns::app
