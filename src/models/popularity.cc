// SPDX-License-Identifier: Apache-2.0
#include "models/popularity.h"

namespace divns {
namespace {

class Popularity final : public FittedModel {
 public:
  // Vectors of one column: 1 for a user, the count for an item.
  FitReport fit(const FitContext& context) override {
    users_ = Table(context.train.users(), 1);
    items_ = Table(context.train.item_count, 1);
    for (uint32_t user = 0; user < users_.rows(); ++user) users_.row(user)[0] = 1;
    for (const uint32_t item : context.train.items) ++items_.row(item)[0];
    return {};
  }

  Scorer scorer() const override { return {users_.view(), items_.view()}; }

 private:
  Table users_;
  Table items_;
};

}  // namespace

std::unique_ptr<FittedModel> make_popularity() {
  return std::make_unique<Popularity>();
}

}  // namespace divns
