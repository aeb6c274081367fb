// SPDX-License-Identifier: Apache-2.0
// Everything: datasets, training, evaluation, recommendation, studies, the k-DPP, and the
// interfaces to extend. Include a single header instead to compile faster.
//
// Conventions. Users and items are rows, numbered from 0 in the order of their original ids. Tables
// of vectors are row-major float arrays; `stride` floats lie between the starts of two rows.
// Functions throw divns::Error with one sentence for wrong input and divns::MachineError when the
// operating system refuses. The library prints nothing.
#pragma once

#include "divns/aligned.h"
#include "divns/dataset.h"
#include "divns/did_you_mean.h"
#include "divns/dpp.h"
#include "divns/embedding_view.h"
#include "divns/error.h"
#include "divns/evaluate.h"
#include "divns/export.h"
#include "divns/exposure.h"
#include "divns/ids.h"
#include "divns/interactions.h"
#include "divns/live.h"
#include "divns/log.h"
#include "divns/loss.h"
#include "divns/metric.h"
#include "divns/model.h"
#include "divns/options.h"
#include "divns/parallel.h"
#include "divns/plan.h"
#include "divns/prepare.h"
#include "divns/random.h"
#include "divns/ranked_lists.h"
#include "divns/ranks.h"
#include "divns/recommend.h"
#include "divns/registry.h"
#include "divns/report.h"
#include "divns/sampler.h"
#include "divns/saved_run.h"
#include "divns/scores.h"
#include "divns/serve.h"
#include "divns/settings.h"
#include "divns/significance.h"
#include "divns/snapshot.h"
#include "divns/split.h"
#include "divns/statistics.h"
#include "divns/stopwatch.h"
#include "divns/study.h"
#include "divns/synth.h"
#include "divns/table.h"
#include "divns/tensors.h"
#include "divns/text_table.h"
#include "divns/train.h"
#include "divns/vectors.h"
#include "divns/version.h"
