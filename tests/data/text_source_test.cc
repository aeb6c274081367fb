// SPDX-License-Identifier: Apache-2.0
#include "data/text_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "support/compress.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::error_of;
using testing::TempFolder;

std::string read_all(const std::string& path) {
  TextSource source(path);
  TextBlock block;
  std::string text;
  while (source.next(block)) {
    EXPECT_EQ(block.text().back(), '\n');
    EXPECT_GE(block.buffer.size(), block.size + TextBlock::kPadding - 1);
    text += block.text();
  }
  return text;
}

std::string many_lines(size_t lines) {
  std::string text;
  for (size_t i = 0; i < lines; ++i) text += std::to_string(i * 7919) + "\tline\n";
  return text;
}

TEST(TextSource, PlainGzipAndZstdGiveTheSameLines) {
  const TempFolder folder;
  const std::string text = many_lines(200000);  // several blocks
  EXPECT_EQ(read_all(folder.write("plain", text)), text);
  EXPECT_EQ(read_all(folder.write("by-content-not-name", testing::gzip(text))), text);
  EXPECT_EQ(read_all(folder.write("z", testing::zstd(text))), text);
}

// A pipe cannot be read twice, not even its first bytes.
TEST(TextSource, PipesGiveEveryByte) {
  const TempFolder folder;
  const std::string text = many_lines(200000);
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& sent : {text, testing::gzip(text), std::string("1\n"), std::string()}) {
    std::thread writer([&] { std::ofstream(pipe) << sent; });
    EXPECT_EQ(read_all(pipe), sent.size() < 10 ? sent : text);
    writer.join();
  }
}

TEST(TextSource, GzipMembersFollowEachOther) {
  const TempFolder folder;
  EXPECT_EQ(read_all(folder.write("two.gz", testing::gzip("a\n") + testing::gzip("b\n"))),
            "a\nb\n");
}

TEST(TextSource, AddsTheLastNewlineAndDropsTheByteOrderMark) {
  const TempFolder folder;
  EXPECT_EQ(read_all(folder.write("a",
                                  "\xef\xbb\xbf"
                                  "1 2\n3 4")),
            "1 2\n3 4\n");
  EXPECT_EQ(read_all(folder.write("empty", "")), "");
}

TEST(TextSource, LongLinesGrowTheBlockUpToALimit) {
  const TempFolder folder;
  std::string line(5 << 20, 'x');
  line += '\n';
  EXPECT_EQ(read_all(folder.write("long", "first\n" + line)), "first\n" + line);
  const std::string path = folder.write("endless", "first\n" + std::string(40 << 20, 'x'));
  EXPECT_EQ(error_of([&] { read_all(path); }).substr(0, path.size() + 40),
            path + ":2: this line is longer than 16 MiB; int");
  // A pipe cannot be read again to count its lines.
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto before = std::signal(SIGPIPE, SIG_IGN);  // the reader leaves before the writer ends
  std::thread writer(
      [&] { std::ofstream(pipe) << std::string(3 << 20, '\n') << std::string(40 << 20, 'x'); });
  EXPECT_EQ(error_of([&] { read_all(pipe); }).substr(0, pipe.size() + 60),
            pipe + ", 3145728 bytes from its beginning: this line is longer than");
  writer.join();
  std::signal(SIGPIPE, before);
  // The same as a bomb: 64 MB of zeros in 64 kB.
  const std::string bomb = folder.write("bomb.gz", testing::gzip(std::string(64 << 20, '0')));
  EXPECT_NE(error_of([&] { read_all(bomb); }).find("longer than 16 MiB"), std::string::npos);
}

TEST(TextSource, TruncatedAndDamagedFilesAreNamed) {
  const TempFolder folder;
  const std::string text = many_lines(50000);
  const std::string gz = testing::gzip(text);
  const std::string zst = testing::zstd(text);
  EXPECT_NE(error_of([&] {
              read_all(folder.write("t.gz", gz.substr(0, gz.size() / 2)));
            }).find("truncated gzip"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              read_all(folder.write("t.zst", zst.substr(0, zst.size() / 2)));
            }).find("truncated zstd"),
            std::string::npos);
  std::string flipped = gz;
  flipped[gz.size() / 2] = static_cast<char>(flipped[gz.size() / 2] ^ 0x55);
  EXPECT_NE(error_of([&] { read_all(folder.write("d.gz", flipped)); }).find("gzip file"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              read_all(folder.write("a.zip", "PK\x03\x04 and so on"));
            }).find("zip archive"),
            std::string::npos);
  EXPECT_NE(error_of([&] { read_all(folder.file("absent")); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(error_of([&] { read_all(folder.path().string()); }).find("is a folder"),
            std::string::npos);
}

TEST(TextSource, ZstdMayBeginWithAFrameToSkip) {
  const TempFolder folder;
  const std::string skipped("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  EXPECT_EQ(read_all(folder.write("z", skipped + testing::zstd("a\nb\n"))), "a\nb\n");
}

}  // namespace
}  // namespace divns
