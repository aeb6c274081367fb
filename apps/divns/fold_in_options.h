// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/options.h"
#include "divns/recommend.h"

namespace divns::app {

// The options of fold-in, for the verbs that recommend to new users.
void declare_fold_in(FoldInOptions& fold, Options& options);

}  // namespace divns::app
