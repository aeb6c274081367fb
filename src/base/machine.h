// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace divns {

// The processor by name and the number of cores, for records of measurements: "AMD EPYC, 2 cores".
std::string machine_description();

}  // namespace divns
