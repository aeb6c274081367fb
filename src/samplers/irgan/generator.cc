// SPDX-License-Identifier: Apache-2.0
#include "samplers/irgan/generator.h"

#include <algorithm>
#include <cmath>

#include "divns/random.h"
#include "kernels/vectors.h"

namespace divns {

Generator::Generator(uint32_t users, uint32_t items, uint32_t dim, double temperature,
                     uint64_t seed)
    : users_(users, dim), items_(items, dim), temperature_(static_cast<float>(temperature)) {
  const Random random(seed, "irgan.generator");
  uint32_t number = 0;
  for (Side* side : {&users_, &items_}) {
    const double bound = std::sqrt(6.0 / (side->values.rows() + dim));  // Xavier
    for (uint32_t row = 0; row < side->values.rows(); ++row) {
      Draws draws = random.draws(number, row);
      for (uint32_t k = 0; k < dim; ++k)
        side->values.row(row)[k] = static_cast<float>(bound * (2 * draws.uniform() - 1));
    }
    ++number;
  }
}

void Generator::probabilities(uint32_t user, std::span<const uint32_t> candidates,
                              std::span<float> out) const {
  gather_scores(users_.values.row(user), items_.values.view(), candidates.data(), candidates.size(),
                out.data());
  const float top = *std::max_element(out.begin(), out.end());
  float sum = 0;
  for (float& x : out) sum += x = std::exp((x - top) / temperature_);
  for (float& x : out) x /= sum;
}

void Generator::Side::clear() {
  for (const uint32_t row : touched) std::fill_n(gradient.row(row), gradient.stride(), 0.0F);
  touched.clear();
}

void Generator::Side::add(float factor, const float* direction, uint32_t row) {
  touched.push_back(row);
  axpy(factor, direction, gradient.row(row), gradient.stride());
}

// d(-A log p_chosen)/d(score_c) = -A ([c = chosen] - p_c) / tau
void Generator::learn(std::span<const Lesson> lessons, const Executor& executor) {
  const auto count = static_cast<double>(lessons.size());
  executor.run(2, [&](int, size_t side) {
    (side == 0 ? users_ : items_).clear();
    for (const Lesson& lesson : lessons)
      for (size_t c = 0; c < lesson.candidates.size(); ++c) {
        const double hit = c == lesson.chosen ? 1 : 0;
        const auto slope =
            static_cast<float>(-lesson.advantage * (hit - double{lesson.probabilities[c]}) /
                               (double{temperature_} * count));
        const uint32_t item = lesson.candidates[c];
        if (side == 0)
          users_.add(slope, items_.values.row(item), lesson.user);
        else
          items_.add(slope, users_.values.row(lesson.user), item);
      }
  });
}

void Generator::list_parameters(double learning_rate, std::vector<SamplerParameters>& out) {
  for (const auto& [name, side] :
       {std::pair("generator.users", &users_), std::pair("generator.items", &items_)})
    out.push_back({name,
                   {side->values.data(), side->values.size()},
                   {side->gradient.data(), side->gradient.size()},
                   learning_rate});
}

}  // namespace divns
