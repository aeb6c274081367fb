// SPDX-License-Identifier: Apache-2.0
#include "divns/ids.h"
#include "divns/model.h"
#include "divns/ranked_lists.h"
#include "divns/recommend.h"
#include "fail.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct SimilarVerb {
  CommonOptions common;
  std::string path;
  std::vector<std::string> item;
  std::vector<std::string> user;
  int k = 10;
  Similarity measure = Similarity::kCosine;
  std::string out;
  Options options;

  explicit SimilarVerb(Command verb) {
    options.add("item", item, "ids of items; may be repeated");
    options.add("user", user, "ids of users; may be repeated");
    options.add("k", k, "number of entries per list").alias("topk").range(1, 1e6);
    options.add_choice("measure", measure,
                       {{"cosine", Similarity::kCosine}, {"dot", Similarity::kDot}},
                       "similarity of two vectors: cosine or inner product; of two items by "
                       "item-item weights: correlation given all other items, or weight");
    options.add("out", out, "file to write: .csv, .jsonl or .npy (default: the screen)").alias("o");
    common.declare(options);
    verb.positional("run", path, "folder of a run, or a model file")
        .options(options)
        .example("divns similar run --item 50 --k 5")
        .example("divns similar run --user alice --measure dot")
        .action([this] { run(); });
  }

  void run() const {
    if (item.empty() == user.empty())
      fail("either --item or --user is expected: the ids to find similar ones for.");
    const TrainedModel model = TrainedModel::load(path);
    const bool of_items = !item.empty();
    const std::vector<std::string>& ids = of_items ? item : user;
    const std::vector<uint32_t> rows =
        of_items ? find_items(model, ids, "--item") : find_users(model, ids, "--user");
    ListNames names;
    names.entry = of_items ? "item" : "user";
    names.query = "similar_to";
    names.entries = of_items ? model.items() : model.users();
    names.id = [&](uint32_t i) { return of_items ? model.item_id(i) : model.user_id(i); };
    names.name = [&](uint32_t i) { return of_items ? model.item_name(i) : std::string_view(); };
    const auto writer = out.empty() ? ListWriter::to_text(common.json, names, print_result)
                                    : ListWriter::to_file(out, names);
    const auto places = static_cast<uint32_t>(k);
    writer->add(ids, of_items
                         ? similar_items(model, rows, places, measure, common.threads)
                         : similar(model.user_vectors(), rows, places, measure, common.threads));
    writer->finish();
  }
};

}  // namespace

void add_similar_verb(Command root) {
  install<SimilarVerb>(
      root.add_verb("similar", "items similar to an item, users similar to a user"));
}

}  // namespace divns::app
