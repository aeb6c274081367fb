// SPDX-License-Identifier: Apache-2.0
#include "io/npy.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::error_of;
using testing::TempFolder;

// A file of the given version, dictionary and data, byte for byte.
std::string npy(int version, const std::string& dictionary, const std::string& data) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    file += static_cast<char>((dictionary.size() >> (8 * i)) & 0xFF);
  return file + dictionary + data;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Npy, WritesAndReadsBothWidthsAndShapes) {
  const TempFolder folder;
  const std::vector<float> table = {1, 2, -1, 3, 4, -1, 5, 6};
  write_npy<float>(folder.file("t.npy"), table, 3, 2, 3);
  const NpyArray<double> back = read_npy<double>(folder.file("t.npy"));
  EXPECT_EQ(back.dimensions, 2);
  EXPECT_EQ(back.rows, 3U);
  EXPECT_EQ(back.columns, 2U);
  EXPECT_EQ(std::vector<double>(back.values.begin(), back.values.end()),
            (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(back.row(2)[1], 6);

  const std::vector<double> vector = {0.5, -0.25};
  write_npy<double>(folder.file("v.npy"), vector);
  const NpyArray<float> flat = read_npy<float>(folder.file("v.npy"));
  EXPECT_EQ(flat.dimensions, 1);
  EXPECT_EQ(flat.rows, 2U);
  EXPECT_EQ(flat.values[1], -0.25F);
}

TEST(Npy, HeaderIsWhatNumPyWrites) {
  const TempFolder folder;
  const std::vector<int64_t> ids = {7, 8};
  write_npy<int64_t>(folder.file("i.npy"), ids, 2, 1, 1);
  const std::string file = read_text_file(folder.file("i.npy"));
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(file.size(), 128U + 16U);
  EXPECT_EQ(file[127], '\n');
  EXPECT_TRUE(contains(file, "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 1), }"));
}

TEST(Npy, ReadsOtherVersionsAndSpacing) {
  const TempFolder folder;
  const std::string data = bytes_of<float>({1, 2});
  for (const int version : {1, 2, 3}) {
    const auto path = folder.write(
        "a.npy", npy(version, R"({"shape":(1,2), 'fortran_order' : False,'descr': '<f4'})", data));
    EXPECT_EQ(read_npy<float>(path).values[1], 2.0F) << version;
  }
  const auto empty = folder.write(
      "e.npy", npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 5), }\n", ""));
  EXPECT_EQ(read_npy<float>(empty).columns, 5U);
}

TEST(Npy, RefusesWhatItCannotRead) {
  const TempFolder folder;
  const std::string four = bytes_of<float>({1, 2, 3, 4});
  const auto error = [&](const std::string& content) {
    const auto path = folder.write("bad.npy", content);
    return error_of([&] { read_npy<float>(path); });
  };
  const auto dictionary = [](const std::string& descr, const std::string& order,
                             const std::string& shape) {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  };
  EXPECT_TRUE(contains(error("PK\x03\x04"), "not a .npy file"));
  EXPECT_TRUE(contains(error("\x93NUMPY"), "not a .npy file"));
  EXPECT_TRUE(contains(error(npy(9, "{}", "")), "version 9"));
  EXPECT_TRUE(contains(error(npy(1, dictionary("<i8", "False", "(2,)"), four)), "'<i8'"));
  EXPECT_TRUE(contains(error(npy(1, dictionary(">f4", "False", "(4,)"), four)), "'>f4'"));
  EXPECT_TRUE(contains(error(npy(1, dictionary("<f4", "True", "(2, 2)"), four)), "column"));
  EXPECT_TRUE(
      contains(error(npy(1, dictionary("<f4", "False", "(2, 2, 1)"), four)), "3 dimensions"));
  EXPECT_TRUE(contains(error(npy(1, dictionary("<f4", "False", "()"), four)), "0 dimensions"));
  EXPECT_TRUE(contains(error(npy(1, dictionary("<f4", "False", "(5,)"), four)), "promises"));
  EXPECT_TRUE(contains(error(npy(1, dictionary("<f4", "False", "(3,)"), four)), "promises"));
  // Lengths whose product overflows to the right number of bytes.
  EXPECT_TRUE(contains(error(npy(1, dictionary("<f4", "False", "(4611686018427387904, 5)"), four)),
                       "promises"));
  EXPECT_TRUE(contains(error(npy(1, dictionary("<f4", "False", "(-1,)"), four)), "damaged"));
  EXPECT_TRUE(contains(error(npy(1, "{'descr': '<f4'}", four)), "damaged"));
  EXPECT_TRUE(contains(error(npy(1, "{'descr': '<f4", four)), "damaged"));
}

TEST(Npy, EveryTruncationIsAnErrorNotACrash) {
  const TempFolder folder;
  write_npy<double>(folder.file("t.npy"), std::vector<double>{1, 2, 3, 4}, 2, 2, 2);
  const std::string whole = read_text_file(folder.file("t.npy"));
  for (size_t length = 0; length < whole.size(); ++length) {
    const auto path = folder.write("cut.npy", whole.substr(0, length));
    EXPECT_NE(error_of([&] { read_npy<double>(path); }), "(no error)") << length;
  }
}

}  // namespace
}  // namespace divns
