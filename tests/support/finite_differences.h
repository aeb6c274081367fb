// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "models/model.h"
#include "support/double_model.h"
#include "support/losses.h"
#include "support/unit_vectors.h"
#include "train/batch_gradients.h"

namespace divns::testing {

// Holds the loss of a batch and its gradient by every parameter to the float64 loss and its central
// differences. `model` is started on `train` and has its parameters.
inline void expect_gradients(Model& model, const Interactions& train, bool skip_layer0,
                             const ObjectiveOptions& objective, const Batch& batch,
                             const Negatives& negatives, const Executor& executor,
                             const Loss& loss = default_loss(),
                             const ReferenceLoss& row_losses = reference_bpr,
                             double tolerance = 1e-6) {
  const uint32_t users = model.user_parameters().rows();
  const uint32_t dim = model.user_parameters().dim();
  DoubleModel reference(train, model.hops() - 1, skip_layer0);
  for (const Table* table : {&model.user_parameters(), &model.item_parameters()})
    for (uint32_t i = 0; i < table->rows(); ++i)
      reference.parameters.emplace_back(table->row(i), table->row(i) + dim);

  model.forward({}, {});
  BatchGradients gradients(objective, loss, users, train.item_count, dim, model.hops(), executor);
  const UnitVectors unit(model.view());
  gradients.score(batch, negatives, model.view(),
                  objective.scales_users() ? unit.view() : model.view());
  gradients.accumulate(batch, negatives, model.view(), {});
  ParameterGradients user_result;
  ParameterGradients item_result;
  model.backward(gradients.users(), gradients.items(), user_result, item_result);

  const auto value = [&] {
    return reference_loss(reference, objective, batch, negatives, row_losses);
  };
  EXPECT_NEAR(gradients.loss(), value(), tolerance);
  const auto found = [&](size_t node, uint32_t k) {
    const bool is_user = node < users;
    const ParameterGradients& result = is_user ? user_result : item_result;
    const auto row = static_cast<uint32_t>(is_user ? node : node - users);
    if (result.all) return result.values->row(row)[k];
    for (size_t j = 0; j < result.rows.size(); ++j)
      if (result.rows[j] == row) return result.values->row(j)[k];
    return 0.0F;
  };
  for (size_t node = 0; node < reference.parameters.size(); ++node)
    for (uint32_t k = 0; k < dim; ++k) {
      constexpr double kStep = 1e-5;
      double& x = reference.parameters[node][k];
      const double kept = x;
      x = kept + kStep;
      const double above = value();
      x = kept - kStep;
      const double below = value();
      x = kept;
      EXPECT_NEAR(found(node, k), (above - below) / (2 * kStep), tolerance) << node << " " << k;
    }
}

}  // namespace divns::testing
