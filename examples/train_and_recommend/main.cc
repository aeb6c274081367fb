// SPDX-License-Identifier: Apache-2.0
// Trains a recommender on a file of interactions and prints recommendations for its first user.
#include <divns/divns.h>

#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 2) throw divns::Error("usage: train_and_recommend FILE");
  const auto data = divns::Dataset::prepare({argv[1]}, {.k_core = 2});
  divns::TrainOptions options{.model = "mf", .sampler = "dns", .seed = 1};
  options.epochs = 30;
  options.set("dns.candidates", "8");
  const divns::Run run = divns::train(data, options);
  std::cout << "test recall@20: " << divns::evaluate(run.model(), data).mean("recall@20") << '\n';
  for (const auto& hit :
       divns::recommend(run.model(), data.user_id(0), {.k = 5, .seen = data.train()}))
    std::cout << hit.id << ' ' << hit.score << '\n';
} catch (const divns::Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
