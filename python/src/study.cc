// SPDX-License-Identifier: Apache-2.0
#include "divns/study.h"

#include <array>

#include "bindings.h"
#include "divns/train.h"

namespace divns::python {
namespace {

constexpr std::array<std::string_view, 3> kOwn = {"model", "sampler", "seed"};

// The options of a study, and every training option as the base of all runs, as in the tool.
template <class StudyType>
struct StudyTable {
  StudyType study;
  TrainingTable training;
  Options options;

  StudyTable(const NamedValues& values, int threads) {
    study.declare(options);
    options.include(training.options(), kOwn);
    apply(values, options);
    study.threads = threads;
    for (Setting& setting : training.given_in(options))
      if (std::find(kOwn.begin(), kOwn.end(), setting.name) == kOwn.end())
        study.settings.push_back(std::move(setting));
  }
};

// Runs a study without the GIL. Ctrl-C ends it after the current epochs, with checkpoints; then
// KeyboardInterrupt is raised, and the same call continues the study.
template <class Work>
auto with_callbacks(const nb::object& on_progress, Work&& work) {
  std::atomic<bool> stop{false}, cancel{false};
  Interrupts interrupts;
  std::exception_ptr error;
  StudyCallbacks callbacks;
  callbacks.stop = &stop;
  callbacks.cancel = &cancel;
  callbacks.on_progress = [&](const StudyProgress& progress) {
    interrupts.check();
    if (interrupts.count() > 0) stop = true;
    if (interrupts.count() > 1) cancel = true;
    if (error || on_progress.is_none()) return;
    const nb::gil_scoped_acquire gil;
    try {
      on_progress(progress.done, progress.total, progress.current);
    } catch (const nb::python_error& raised) {
      if (raised.matches(PyExc_KeyboardInterrupt))
        interrupts.add();
      else
        error = std::current_exception();
      stop = true;
    } catch (...) {
      error = std::current_exception();
      stop = true;
    }
  };
  auto result = [&] {
    const nb::gil_scoped_release no_gil;
    return work(callbacks);
  }();
  if (error) std::rethrow_exception(error);
  if (interrupts.count() > 0) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return result;
}

nb::dict study_dict(const std::string& json, const std::string& table,
                    const std::vector<std::string>& notes) {
  nb::dict entry;
  entry["json"] = json;
  entry["table"] = table;
  entry["notes"] = notes;
  return entry;
}

template <class StudyType, class Function>
nb::dict comparison(const Dataset& data, const NamedValues& values, int threads,
                    const nb::object& on_progress, Function&& run) {
  const StudyTable<StudyType> table(values, threads);
  const ComparisonResult result = with_callbacks(
      on_progress, [&](const StudyCallbacks& calls) { return run(data, table.study, calls); });
  nb::dict entry = study_dict(result.json, result.table, result.notes);
  entry["tests_table"] = result.tests_table;
  return entry;
}

}  // namespace

void bind_study(nb::module_& m) {
  const auto signature = [&](const char* name, auto function) {
    m.def(name, function, nb::arg("data"), nb::arg("options"), nb::arg("threads"),
          nb::arg("on_progress").none());
  };
  signature("compare", [](const Dataset& data, const NamedValues& values, int threads,
                          const nb::object& on_progress) {
    return comparison<CompareOptions>(data, values, threads, on_progress, &compare);
  });
  signature("ablate", [](const Dataset& data, const NamedValues& values, int threads,
                         const nb::object& on_progress) {
    return comparison<AblateOptions>(data, values, threads, on_progress, &ablate);
  });
  signature("tune", [](const Dataset& data, const NamedValues& values, int threads,
                       const nb::object& on_progress) {
    const StudyTable<TuneOptions> table(values, threads);
    const TuneResult result = with_callbacks(
        on_progress, [&](const StudyCallbacks& calls) { return tune(data, table.study, calls); });
    nb::dict entry = study_dict(result.json, result.table, result.notes);
    entry["winners"] = result.winners;
    return entry;
  });
}

}  // namespace divns::python
