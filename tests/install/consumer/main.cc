// SPDX-License-Identifier: Apache-2.0
#include <divns/dataset.h>
#include <divns/error.h>
#include <divns/version.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const divns::Dataset data = divns::Dataset::open(argv[1]);
    std::printf("divns %s: %u users, %u items, %zu training pairs\n", divns::kVersion, data.users(),
                data.items(), data.train().pairs());
    return data.users() == 2000 && data.train().pairs() == 56000 ? 0 : 1;
  } catch (const divns::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
