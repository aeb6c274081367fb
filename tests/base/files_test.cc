// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
using testing::error_of;

size_t entries(const fs::path& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const testing::TempFolder folder;
  {
    AtomicFile file(folder.file("a"));
    file.write("half");
  }
  EXPECT_EQ(entries(folder.path()), 0U);
  write_file_atomically(folder.file("a"), "whole");
  EXPECT_EQ(read_text_file(folder.file("a")), "whole");
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(AtomicFile, KeepsTheOldFileUntilTheNewOneIsWhole) {
  const testing::TempFolder folder;
  folder.write("a", "old");
  AtomicFile file(folder.file("a"));
  file.write("new");
  EXPECT_EQ(read_text_file(folder.file("a")), "old");
  file.commit();
  EXPECT_EQ(read_text_file(folder.file("a")), "new");
}

TEST(AtomicFile, SaysWhyItCannotWrite) {
  const testing::TempFolder folder;
  EXPECT_NE(error_of([&] {
              AtomicFile file(folder.file("no/such/folder/a"));
            }).find("could not be written: No such file"),
            std::string::npos);
  EXPECT_NE(error_of([&] { MappedFile file(folder.file("absent")); }).find("could not be opened"),
            std::string::npos);
  EXPECT_NE(error_of([&] { MappedFile file(folder.path()); }).find("is not a plain file"),
            std::string::npos);
}

TEST(StagedFolder, IsAllOrNothing) {
  const testing::TempFolder folder;
  {
    const StagedFolder staged(folder.file("out"), false);
    write_file_atomically(staged.path() / "x", "1");
  }
  EXPECT_EQ(entries(folder.path()), 0U);
  StagedFolder staged(folder.file("out/"), false);
  write_file_atomically(staged.path() / "x", "1");
  staged.commit();
  EXPECT_EQ(read_text_file(folder.file("out/x")), "1");
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(StagedFolder, KeepsTheOldFolderUntilTheNewOneIsWhole) {
  const testing::TempFolder folder;
  fs::create_directory(folder.file("out"));
  folder.write("out/x", "old");
  folder.write("out/y", "only in the old one");
  StagedFolder staged(folder.file("out"), true);
  fs::create_directory(staged.path() / "below");
  for (const char* name : {"x", "below/z"}) {
    AtomicFile file(staged.path() / name, Sync::kWithFolder);
    file.write("new");
    file.commit();
  }
  EXPECT_EQ(read_text_file(folder.file("out/x")), "old");
  staged.commit();
  EXPECT_EQ(read_text_file(folder.file("out/x")), "new");
  EXPECT_EQ(read_text_file(folder.file("out/below/z")), "new");
  EXPECT_FALSE(fs::exists(folder.file("out/y")));
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(StagedFolder, RefusesWhatIsInUseUnlessToldToReplace) {
  const testing::TempFolder folder;
  fs::create_directory(folder.file("out"));
  StagedFolder(folder.file("out"), false).commit();  // an empty folder is free to take
  folder.write("out/precious", "keep me");
  EXPECT_NE(error_of([&] {
              StagedFolder staged(folder.file("out"), false);
            }).find("already holds something"),
            std::string::npos);
  EXPECT_EQ(read_text_file(folder.file("out/precious")), "keep me");
  StagedFolder(folder.file("out"), true).commit();
  EXPECT_EQ(entries(folder.file("out")), 0U);
}

TEST(Hash, KnownAnswers) {
  EXPECT_EQ(hash64(std::string_view()), 0x2d06800538d394c2ULL);
  EXPECT_EQ(hash128_hex(std::string_view()), "99aa06d3014798d86001c324468d497f");
}

}  // namespace
}  // namespace divns
