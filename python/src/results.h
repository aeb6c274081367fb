// SPDX-License-Identifier: Apache-2.0
// Results of the engine as arrays for Python.
#pragma once

#include "bindings.h"
#include "divns/dataset.h"
#include "divns/evaluate.h"
#include "divns/recommend.h"

namespace divns::python {

// Row numbers, -1 at the end of a short list, and scores, -inf there.
nb::tuple list_arrays(TopItems&& top, size_t rows);

// (columns, means, users, values): values is columns x users.
nb::tuple result_of(Evaluation&& evaluation);

// Evaluates vectors, or with `source` scores, by the named options of an evaluation. Needs no GIL.
Evaluation evaluate_part(const VectorTable& users, const VectorTable& items,
                         const ScoreSource* source, const Dataset& data, const NamedValues& values,
                         int threads);

}  // namespace divns::python
