// SPDX-License-Identifier: Apache-2.0
#include "models/mf.h"

namespace divns {
namespace {

constexpr float kPoolWeight = 1;

class Mf final : public Model {
 public:
  void start(const ModelContext& context) override {
    if (users_.rows() == 0) users_ = Table(context.train.users(), context.dim);
    if (items_.rows() == 0) items_ = Table(context.train.item_count, context.dim);
    user_view_ = users_.view();
    item_view_ = items_.view();
  }

  int hops() const override { return 1; }

  // The parameters are the vectors.
  void forward(const RowSelection& /*users*/, const RowSelection& /*items*/) override {}

  EmbeddingView view() const override {
    return {user_view_, item_view_, {&user_view_, 1}, {&item_view_, 1}, {&kPoolWeight, 1}};
  }

  void backward(const RowGradients& users, const RowGradients& items,
                ParameterGradients& user_result, ParameterGradients& item_result) override {
    user_result = {.rows = users.rows, .values = &users.pooled};
    item_result = {.rows = items.rows, .values = &items.pooled};
  }

 private:
  VectorTable user_view_;
  VectorTable item_view_;
};

}  // namespace

std::unique_ptr<Model> make_mf() {
  return std::make_unique<Mf>();
}

}  // namespace divns
