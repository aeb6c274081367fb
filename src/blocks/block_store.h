// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/scratch_file.h"
#include "divns/vectors.h"
#include "train/training_state.h"

namespace divns {

// Keeps the rows of blocks while no cell uses them: in memory, or in a scratch file. A block has
// one table (parameters) or three (with both moments); its numbers of rows never change. The block
// that was put last goes to the file only when another one is asked for.
class BlockStore {
 public:
  BlockStore() = default;
  // Without a folder in memory, where a block takes none until put().
  BlockStore(std::vector<uint32_t> rows, uint32_t dim, size_t tables,
             const std::filesystem::path& folder = {});

  bool on_disk() const { return on_disk_; }
  size_t blocks() const { return rows_.size(); }
  size_t tables() const { return tables_; }
  uint32_t rows(size_t block) const { return rows_[block]; }

  // All zero.
  RowState fresh(size_t block) const;
  // Takes a block out: in memory, it is gone until put().
  RowState take(size_t block);
  void put(size_t block, RowState state);
  // A block that is in the store; `table` is 0 for parameters, 1 and 2 for the moments.
  std::span<float> values(size_t block, size_t table);
  VectorTable view(size_t block);
  float* row(size_t block, size_t table, size_t index);
  // Bytes of blocks on disk that were read and written so far: by take() and put(), and what else
  // was counted.
  uint64_t bytes_moved() const { return bytes_moved_; }
  void count_moved(uint64_t bytes) { bytes_moved_ += on_disk_ ? bytes : 0; }
  uint64_t bytes_of(size_t block) const { return tables_ * size_of_table(block) * sizeof(float); }
  // For blocks on disk: will be taken soon; is not used for now.
  void read_ahead(size_t block) const;
  void set_aside(size_t block) const;

 private:
  static Table& table_of(RowState& state, size_t table) {
    return table == 0 ? state.parameters : table == 1 ? state.m : state.v;
  }
  size_t size_of_table(size_t block) const;
  std::span<const std::byte> bytes_on_disk(size_t block) const;
  std::span<float> floats_on_disk(size_t block, size_t table) const;
  void write_last();

  std::vector<uint32_t> rows_;
  uint32_t dim_ = 0;
  size_t tables_ = 0;
  std::vector<RowState> resident_;
  bool on_disk_ = false;
  ScratchFile file_;
  static constexpr size_t kNone = SIZE_MAX;
  size_t last_ = kNone;  // the block of last_state_, which the file does not have yet
  RowState last_state_;
  std::vector<size_t> starts_;  // of each block in the file, in floats
  uint64_t bytes_moved_ = 0;
};

}  // namespace divns
