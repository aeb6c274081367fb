// SPDX-License-Identifier: Apache-2.0
#include "divns/ranked_lists.h"

#include <algorithm>

#include "base/check.h"
#include "base/escape.h"
#include "base/files.h"
#include "io/npy.h"
#include "recommend/list_json.h"

namespace divns {
namespace fs = std::filesystem;
namespace {

class CsvWriter : public ListWriter {
 public:
  CsvWriter(const fs::path& path, ListNames names, CsvFor reader)
      : names_(std::move(names)), file_(path, Target::kNamed), reader_(reader) {
    file_.write(fmt::format("{},rank,{},score,name\n", names_.query, names_.entry));
  }
  void add(std::span<const std::string> labels, const TopItems& lists) override {
    fmt::memory_buffer text;
    for (size_t row = 0; row < labels.size(); ++row) {
      for (size_t r = 0; r < lists.lengths[row]; ++r) {
        const uint32_t entry = lists.items_of(row)[r];
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", cell(labels[row]), r + 1,
                       cell(names_.id(entry)), lists.scores_of(row)[r], cell(names_.name(entry)));
      }
    }
    file_.write(std::string_view(text.data(), text.size()));
  }
  void finish() override { file_.commit(); }

 private:
  std::string cell(std::string_view text) const { return escape_csv(text, reader_); }

  ListNames names_;
  AtomicFile file_;
  CsvFor reader_;
};

class JsonLinesWriter : public ListWriter {
 public:
  JsonLinesWriter(const fs::path& path, ListNames names)
      : names_(std::move(names)), file_(path, Target::kNamed) {}
  void add(std::span<const std::string> labels, const TopItems& lists) override {
    std::string text;
    for (size_t row = 0; row < labels.size(); ++row) {
      append_list_json(names_, labels[row], lists, row, lists.k, text);
      text += '\n';
    }
    file_.write(text);
  }
  void finish() override { file_.commit(); }

 private:
  ListNames names_;
  AtomicFile file_;
};

// NAME.npy, int32 numbers of the entries (-1 where a list is short), and beside it
// NAME.scores.npy, NAME.rows.txt (whose list a row is) and NAME.ids.txt (line n: the id of number
// n, from 0).
class NpyWriter : public ListWriter {
 public:
  NpyWriter(fs::path path, ListNames names) : names_(std::move(names)), path_(std::move(path)) {}
  void add(std::span<const std::string> labels, const TopItems& lists) override {
    k_ = lists.k;
    for (const uint32_t entry : lists.items)
      numbers_.push_back(entry == kNoItem ? -1 : static_cast<int32_t>(entry));
    scores_.insert(scores_.end(), lists.scores.begin(), lists.scores.end());
    for (const std::string& label : labels) rows_ += escape_tsv(label) + "\n";
  }
  void finish() override {
    const size_t rows = k_ == 0 ? 0 : numbers_.size() / k_;
    std::string ids;
    for (uint32_t entry = 0; entry < names_.entries; ++entry)
      ids += escape_tsv(names_.id(entry)) + "\n";
    write_file_atomically(beside(".ids.txt"), ids);
    write_file_atomically(beside(".rows.txt"), rows_);
    write_npy<float>(beside(".scores.npy"), scores_, rows, k_, k_);
    write_npy<int32_t>(path_, numbers_, rows, k_, k_);
  }

 private:
  fs::path beside(const char* ending) const {
    fs::path path = path_;
    return path.replace_extension(ending);
  }

  ListNames names_;
  fs::path path_;
  size_t k_ = 0;
  std::vector<int32_t> numbers_;
  std::vector<float> scores_;
  std::string rows_;
};

class TableWriter : public ListWriter {
 public:
  TableWriter(ListNames names, Print print) : names_(std::move(names)), print_(std::move(print)) {}
  void add(std::span<const std::string> labels, const TopItems& lists) override {
    for (size_t row = 0; row < labels.size(); ++row) {
      std::string text = fmt::format("{} {}\n", names_.query, escape_terminal(labels[row]));
      size_t width = 0;
      for (const uint32_t entry : lists.items_of(row))
        width = std::max(width, escape_terminal(names_.id(entry)).size());
      for (size_t r = 0; r < lists.lengths[row]; ++r) {
        const uint32_t entry = lists.items_of(row)[r];
        const std::string line = fmt::format(
            "{:>4}  {:>9.4f}  {:<{}}  {}", r + 1, lists.scores_of(row)[r],
            escape_terminal(names_.id(entry)), width, escape_terminal(names_.name(entry)));
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      }
      print_(text);
    }
  }
  void finish() override {}

 private:
  ListNames names_;
  Print print_;
};

class JsonArrayWriter : public ListWriter {
 public:
  JsonArrayWriter(ListNames names, Print print)
      : names_(std::move(names)), print_(std::move(print)) {}
  void add(std::span<const std::string> labels, const TopItems& lists) override {
    for (size_t row = 0; row < labels.size(); ++row)
      append_list_json(names_, labels[row], lists, row, lists.k, lines_.emplace_back());
  }
  void finish() override { print_(fmt::format("[{}]\n", fmt::join(lines_, ",\n "))); }

 private:
  ListNames names_;
  Print print_;
  std::vector<std::string> lines_;
};

}  // namespace

std::unique_ptr<ListWriter> ListWriter::to_file(const fs::path& path, const ListNames& names,
                                                bool for_spreadsheets) {
  const std::string ending = path.extension().string();
  if (ending == ".csv")
    return std::make_unique<CsvWriter>(
        path, names, for_spreadsheets ? CsvFor::kSpreadsheets : CsvFor::kPrograms);
  if (ending == ".jsonl") return std::make_unique<JsonLinesWriter>(path, names);
  if (ending == ".npy") return std::make_unique<NpyWriter>(path, names);
  fail("{} ends in '{}', which names no format; lists are written as .csv, .jsonl or .npy.",
       path.string(), ending);
}

std::unique_ptr<ListWriter> ListWriter::to_text(bool json, const ListNames& names, Print print) {
  if (json) return std::make_unique<JsonArrayWriter>(names, std::move(print));
  return std::make_unique<TableWriter>(names, std::move(print));
}

}  // namespace divns
