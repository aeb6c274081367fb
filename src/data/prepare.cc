// SPDX-License-Identifier: Apache-2.0
#include "divns/prepare.h"

#include "base/check.h"
#include "data/prepare_job.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

// Options that describe files mean nothing for pairs in memory.
void refuse_file_options(const PrepareOptions& options) {
  PrepareOptions defaults;
  PrepareOptions given = options;
  Options expected;
  Options table;
  defaults.declare(expected);
  given.declare(table);
  for (const char* name : {"format", "delimiter", "user_column", "item_column", "rating_column",
                           "time_column", "valid_file", "test_file"})
    if (table.find(name)->value() != expected.find(name)->value())
      fail("the option {} describes a file, but the pairs are given in memory; leave it out.",
           name);
}

MemoryBudget budget_of(const PrepareOptions& options, const Executor& executor) {
  return MemoryBudget(options.memory_limit, executor.threads());
}

}  // namespace

PrepareReport prepare_dataset(const std::vector<std::string>& inputs, const fs::path& output,
                              const PrepareOptions& options, const Executor& executor) {
  if (inputs.empty()) fail("no input was given; name at least one file of interactions.");
  PairSources sources{.read =
                          [&](PairReader& reader) {
                            std::vector<std::string> files = inputs;
                            for (const std::string& part : {options.valid_file, options.test_file})
                              if (!part.empty()) files.push_back(part);
                            reader.read(files);
                          },
                      .train = inputs.size(),
                      .valid = !options.valid_file.empty(),
                      .test = !options.test_file.empty(),
                      .names = inputs};
  return prepare_from(sources, output, options, budget_of(options, executor), executor);
}

PrepareReport prepare_dataset(const PairColumns& pairs, const fs::path& output,
                              const PrepareOptions& options, const Executor& executor) {
  refuse_file_options(options);
  const PairSources sources{.read = [&](PairReader& reader) { reader.read(pairs); }, .names = {}};
  return prepare_from(sources, output, options, budget_of(options, executor), executor);
}

PrepareReport prepare_dataset(const PairColumns& train, const PairColumns& valid,
                              const PairColumns& test, const fs::path& output,
                              const PrepareOptions& options, const Executor& executor) {
  refuse_file_options(options);
  PairSources sources{.read =
                          [&](PairReader& reader) {
                            for (const PairColumns* part : {&train, &valid, &test})
                              if (part == &train || part->size() > 0) reader.read(*part);
                          },
                      .valid = valid.size() > 0,
                      .test = test.size() > 0,
                      .names = {},
                      .only_train = valid.size() == 0 && test.size() == 0};
  return prepare_from(sources, output, options, budget_of(options, executor), executor);
}

}  // namespace divns
