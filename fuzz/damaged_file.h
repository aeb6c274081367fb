// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "divns/dataset.h"

namespace divns::fuzz {

// One of the files of a folder with the input as its content, for as long as this object lives. The
// first byte of the input chooses the file.
class DamagedFile {
 public:
  DamagedFile(const std::vector<std::filesystem::path>& files, const uint8_t* data, size_t size)
      : path_(files[data[0] % files.size()]), original_(read(path_)) {
    write(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  }
  ~DamagedFile() { write(original_); }
  DamagedFile(const DamagedFile&) = delete;
  DamagedFile& operator=(const DamagedFile&) = delete;

 private:
  static std::string read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  }

  std::filesystem::path path_;
  std::string original_;
};

// 6 users with 8 of 12 items each.
inline Dataset tiny_dataset() {
  std::vector<int64_t> users, items;
  for (int64_t user = 0; user < 6; ++user)
    for (int64_t n = 0; n < 8; ++n) {
      users.push_back(user);
      items.push_back((user + n) % 12);
    }
  PairColumns pairs;
  pairs.users = std::span<const int64_t>(users);
  pairs.items = std::span<const int64_t>(items);
  return Dataset::from_pairs(pairs);
}

}  // namespace divns::fuzz
