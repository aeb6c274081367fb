// SPDX-License-Identifier: Apache-2.0
// The table of samplers. A new one is a file of its own and a row here; the tool, the docs and the
// conformance tests read the table.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "samplers/sampler.h"

namespace divns {

struct SamplerEntry {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view citation;  // where it comes from
  // False where the method as published needs the hops of a graph model.
  bool fits_mf;
  std::unique_ptr<Sampler> (*make)();
};

std::span<const SamplerEntry> samplers();

// Adds a row for this program: a sampler that lives outside the library is then found by its name
// like any other. The row's strings must outlive the program's use of it. Throws Error where the
// name is taken. Call it at the start, before spans of samplers() are held.
void add_sampler(const SamplerEntry& entry);

// Throws Error for an unknown name, with the nearest known one.
const SamplerEntry& find_sampler(std::string_view name);

}  // namespace divns
