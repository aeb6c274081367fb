// SPDX-License-Identifier: Apache-2.0
#include "divns/export.h"

#include "fail.h"
#include "json.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct ExportVerb {
  CommonOptions common;
  std::string path;
  ExportOptions format;
  IndexOptions index;
  std::string index_name;
  int links = 16;
  int ef_construction = 200;
  int ef = 64;
  int k = 10;
  std::string out;
  Options options;

  explicit ExportVerb(Command verb) {
    options.add_choice("format", format.format,
                       {{"npy", ExportFormat::kNpy},
                        {"text", ExportFormat::kText},
                        {"safetensors", ExportFormat::kSafetensors},
                        {"word2vec", ExportFormat::kWord2vec},
                        {"pgvector", ExportFormat::kPgvector},
                        {"onnx", ExportFormat::kOnnx}},
                       "format of the files");
    options.add("index", index_name,
                "write an index for nearest neighbours instead: hnsw (hnswlib), faiss (exact) or "
                "faiss-hnsw");
    options.add("out", out, "folder to write").alias("o");
    options.add("augment", format.augment,
                "add the column that lets a search by cosine find the largest inner products");
    options.section("Index");
    options.add("links", links, "HNSW: links per item").range(2, 1024);
    options
        .add("ef_construction", ef_construction, "HNSW: items looked at for the links of a new one")
        .range(2, 1e6);
    options.add("ef", ef, "HNSW: items kept under way in a search").range(1, 1e6);
    options.add("k", k, "length of the lists whose recall is measured").range(1, 1e6);
    options.add("seed", index.seed, "HNSW: seed of the levels of the items");
    common.declare(options);
    verb.positional("run", path, "folder of a run, or a model file")
        .options(options)
        .example("divns export run --format npy --out vectors")
        .example("divns export run --index hnsw --out index")
        .action([this] { run(); });
  }

  void run() const {
    if (out.empty()) fail("no folder was given; choose one with --out.");
    const TrainedModel model = TrainedModel::load(path);
    if (!index_name.empty()) return write_index(model);
    export_vectors(model, out, format);
    if (common.json)
      print_result(json_text(Json{{"output", out},
                                  {"users", model.users()},
                                  {"items", model.items()},
                                  {"columns", model.columns()}}));
    else
      say(common, "{} users and {} items of {} columns written to {}", model.users(), model.items(),
          model.columns(), out);
  }

  void write_index(const TrainedModel& model) const {
    IndexOptions asked = index;
    if (index_name == "hnsw")
      asked.kind = IndexKind::kHnsw;
    else if (index_name == "faiss")
      asked.kind = IndexKind::kFaissFlat;
    else if (index_name == "faiss-hnsw")
      asked.kind = IndexKind::kFaissHnsw;
    else
      fail("--index is '{}'; expected is hnsw, faiss or faiss-hnsw.", index_name);
    if (options.find("format")->source() != OptionSource::kDefault || format.augment)
      fail("--index writes files of its own; --format and --augment do not go with it.");
    asked.links = static_cast<uint32_t>(links);
    asked.ef_construction = static_cast<uint32_t>(ef_construction);
    asked.ef = static_cast<uint32_t>(ef);
    asked.k = static_cast<uint32_t>(k);
    asked.threads = common.threads;
    const IndexReport report = export_index(model, out, asked);
    if (common.json)
      print_result(json_text(Json{{"output", report.file.string()},
                                  {"items", model.items()},
                                  {"columns", report.columns},
                                  {"k", k},
                                  {"users", report.users},
                                  {"recall", report.recall}}));
    else
      print_result(fmt::format(
          "{}: {} items of {} columns; recall@{} against exact search {:.4f} ({} users)\n",
          report.file.string(), model.items(), report.columns, k, report.recall, report.users));
  }
};

}  // namespace

void add_export_verb(Command root) {
  install<ExportVerb>(root.add_verb("export", "write the vectors of a model for other programs"));
}

}  // namespace divns::app
