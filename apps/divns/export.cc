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
  std::string out;
  Options options;

  explicit ExportVerb(Command verb) {
    options.add_choice("format", format.format,
                       {{"npy", ExportFormat::kNpy},
                        {"text", ExportFormat::kText},
                        {"safetensors", ExportFormat::kSafetensors}},
                       "format of the files");
    options.add("out", out, "folder to write").alias("o");
    options.add("augment", format.augment,
                "add the column that lets a search by cosine find the largest inner products");
    common.declare(options);
    verb.positional("run", path, "folder of a run, or a model file")
        .options(options)
        .example("divns export run --format npy --out vectors")
        .action([this] { run(); });
  }

  void run() const {
    if (out.empty()) fail("no folder was given; choose one with --out.");
    const TrainedModel model = TrainedModel::load(path);
    export_vectors(model, out, format);
    if (common.json)
      print_result(json_text(Json{{"output", out},
                                  {"users", model.users()},
                                  {"items", model.items()},
                                  {"columns", model.item_vectors().dim}}));
    else
      say(common, "{} users and {} items of {} columns written to {}", model.users(), model.items(),
          model.item_vectors().dim, out);
  }
};

}  // namespace

void add_export_verb(Command root) {
  install<ExportVerb>(root.add_verb("export", "vectors for other programs"));
}

}  // namespace divns::app
