// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "base/hash.h"
#include "divns/mapping.h"
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
    const StagedFolder staged(folder.file("out"));
    write_file_atomically(staged.path() / "x", "1");
  }
  EXPECT_EQ(entries(folder.path()), 0U);
  StagedFolder staged(folder.file("out/"));
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
  StagedFolder staged(folder.file("out"), {"x", "y"});
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
  StagedFolder(folder.file("out")).commit();  // an empty folder is free to take
  folder.write("out/precious", "keep me");
  EXPECT_NE(
      error_of([&] { StagedFolder staged(folder.file("out")); }).find("already holds something"),
      std::string::npos);
  EXPECT_EQ(read_text_file(folder.file("out/precious")), "keep me");
  EXPECT_ERROR(StagedFolder(folder.file("out"), {"x"}), "holds 'precious'");
  StagedFolder(folder.file("out"), {"precious"}).commit();
  EXPECT_EQ(entries(folder.file("out")), 0U);
}

TEST(StagedFolder, NeverLosesWhatIsNotItsOwn) {
  const testing::TempFolder folder;
  fs::create_directory(folder.file("out"));
  {
    StagedFolder staged(folder.file("out"));
    write_file_atomically(staged.path() / "x", "new");
    folder.write("out/late", "added while the input was read");
    EXPECT_ERROR(staged.commit(), "'late'");
  }
  EXPECT_EQ(read_text_file(folder.file("out/late")), "added while the input was read");
  EXPECT_EQ(entries(folder.path()), 1U);
  // A link of a listed name is not the file that was listed.
  fs::create_symlink("late", folder.file("out/x"));
  EXPECT_ERROR(StagedFolder(folder.file("out"), {"x", "late"}), "'x'");
}

TEST(StagedFolder, RefusesTheCurrentFolderAndKeepsIt) {
  const testing::TempFolder folder;
  folder.write("x", "old");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const std::string sentence = error_of([] { StagedFolder staged(".", {"x"}); });
  fs::current_path(before);
  EXPECT_NE(sentence.find("is the current folder"), std::string::npos) << sentence;
  EXPECT_EQ(read_text_file(folder.file("x")), "old");
}

TEST(Leftovers, OfDeadProcessesGoAndOfLivingOnesStay) {
  const testing::TempFolder folder;
  const std::string dead = ".divns-tmp-0123456789abcdef";
  fs::create_directory(folder.file(dead));
  folder.write(dead + "/x", "half");
  folder.write(".divns-tmp-0000000000000000", "half");
  folder.write("notes.tmp-123", "somebody's");
  AtomicFile living(folder.file("living"));
  remove_leftovers(folder.path());
  EXPECT_EQ(entries(folder.path()), 2U);
  EXPECT_TRUE(fs::exists(folder.file("notes.tmp-123")));
  living.write("whole");
  living.commit();
  EXPECT_EQ(read_text_file(folder.file("living")), "whole");
}

TEST(AtomicFile, NeverFollowsALinkInAFolderOfItsOwn) {
  const testing::TempFolder folder;
  folder.write("precious", "keep me");
  fs::create_symlink("precious", folder.file("metrics.json"));
  EXPECT_ERROR(write_file_atomically(folder.file("metrics.json"), "new"), "is a link");
  EXPECT_ERROR(read_text_file(folder.file("metrics.json"), Links::kRefuse), "symbolic link");
  EXPECT_ERROR(has_own_file(folder.file("metrics.json")), "symbolic link");
  EXPECT_EQ(read_text_file(folder.file("precious")), "keep me");
}

TEST(AtomicFile, WritesToANamedFileAsCpWould) {
  const testing::TempFolder folder;
  folder.write("target", "old");
  fs::permissions(folder.file("target"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("target", folder.file("link"));
  write_file_atomically(folder.file("link"), "new", Target::kNamed);
  EXPECT_TRUE(fs::is_symlink(folder.file("link")));
  EXPECT_EQ(read_text_file(folder.file("target")), "new");
  EXPECT_EQ(fs::status(folder.file("target")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_ERROR(write_file_atomically(folder.file("target"), "newer", Target::kNew),
               "exists already");

  ASSERT_EQ(::mkfifo(folder.file("fifo").c_str(), 0600), 0);
  const int reader = ::open(folder.file("fifo").c_str(), O_RDONLY | O_NONBLOCK);
  write_file_atomically(folder.file("fifo"), "through", Target::kNamed);
  char text[8] = {};
  EXPECT_EQ(::read(reader, text, sizeof text), 7);
  ::close(reader);
  EXPECT_EQ(std::string(text, 7), "through");
  EXPECT_TRUE(fs::is_fifo(folder.file("fifo")));
  write_file_atomically("/dev/null", "nothing", Target::kNamed);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(AtomicFile, AFullDiskIsAnErrorOfTheMachine) {
  EXPECT_THROW(write_file_atomically("/dev/full", "text", Target::kNamed), MachineError);
}

TEST(MappedFile, DoesNotWaitForAFifoAndHasBounds) {
  const testing::TempFolder folder;
  ASSERT_EQ(::mkfifo(folder.file("fifo").c_str(), 0600), 0);
  EXPECT_ERROR(MappedFile(folder.file("fifo")), "a FIFO");
  EXPECT_ERROR(MappedFile("/dev/zero"), "a device");
  folder.write("long", "12345");
  EXPECT_ERROR(MappedFile(folder.file("long"), Links::kFollow, 4), "at most 4");
}

TEST(MappedFile, KeepsItsBytesWhenTheFileShrinks) {
  const testing::TempFolder folder;
  folder.write("data", std::string(1 << 20, 'x'));
  const MappedFile file(folder.file("data"));
  fs::resize_file(folder.file("data"), 0);
  EXPECT_EQ(std::count(file.text().begin(), file.text().end(), 'x'), 1 << 20);
}

TEST(MappedFile, AProgramDecidesWhichFilesAreCopied) {
  const testing::TempFolder folder;
  folder.write("data", std::string(1 << 20, 'x'));
  const auto read_after_shrinking = [&] {
    const MappedFile file(folder.file("data"));
    fs::resize_file(folder.file("data"), 0);
    ::_exit(file.text().back() == 'x' ? 0 : 1);
  };
  copy_files_up_to(1 << 20);
  EXPECT_EXIT(read_after_shrinking(), ::testing::ExitedWithCode(0), "");
  folder.write("data", std::string(1 << 20, 'x'));
  copy_files_up_to((1 << 20) - 1);
#ifndef DIVNS_SANITIZED  // the sanitizer handles the signal
  EXPECT_EXIT(read_after_shrinking(), ::testing::KilledBySignal(SIGBUS), "");
#endif
  copy_files_up_to(uint64_t{1} << 30);
}

TEST(Hash, KnownAnswers) {
  EXPECT_EQ(hash64(std::string_view()), 0x2d06800538d394c2ULL);
  EXPECT_EQ(hash128_hex(std::string_view()), "99aa06d3014798d86001c324468d497f");
}

}  // namespace
}  // namespace divns
