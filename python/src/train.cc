// SPDX-License-Identifier: Apache-2.0
#include "divns/train.h"

#include <exception>

#include "bindings.h"
#include "divns/registry.h"

namespace divns::python {
namespace {

namespace fs = std::filesystem;

nb::dict seconds_dict(const PhaseSeconds& seconds) {
  nb::dict entry;
  entry["sampling"] = seconds.sampling;
  entry["propagation"] = seconds.propagation;
  entry["gradient"] = seconds.gradient;
  entry["optimiser"] = seconds.optimiser;
  entry["evaluation"] = seconds.evaluation;
  entry["total"] = seconds.total();
  return entry;
}

nb::dict named_dict(const std::vector<std::pair<std::string, double>>& values) {
  nb::dict entry;
  for (const auto& [name, value] : values) entry[name.c_str()] = value;
  return entry;
}

nb::dict report_dict(const EpochReport& report) {
  nb::dict entry;
  entry["epoch"] = report.epoch;
  entry["batches"] = report.batches;
  entry["loss"] = report.loss;
  entry["hardness"] = report.hardness;
  entry["metric_name"] = report.metric_name;
  entry["metric"] = report.metric;
  entry["improved"] = report.improved;
  entry["best_metric"] = report.best_metric;
  entry["best_epoch"] = report.best_epoch;
  entry["seconds"] = seconds_dict(report.seconds);
  if (report.negatives) entry["negatives"] = named_dict(report.negatives->named());
  entry["sampler"] = named_dict(report.sampler);
  return entry;
}

nb::dict result_dict(const RunResult& result) {
  nb::dict entry;
  entry["finished"] = result.finished;
  entry["resumed"] = result.resumed;
  entry["epochs"] = result.epochs;
  entry["metric_name"] = result.metric_name;
  entry["best_metric"] = result.validated ? nb::cast(result.best_metric) : nb::none();
  entry["best_epoch"] = result.validated ? nb::cast(result.best_epoch) : nb::none();
  entry["last_loss"] = result.last_loss;
  entry["seconds"] = seconds_dict(result.seconds);
  return entry;
}

bool is_fitted(const std::string& model) {
  for (const ModelInfo& info : model_list())
    if (info.name == model) return !info.is_sampled;
  return false;
}

// Trains without the GIL. The first Ctrl-C ends the training after the current epoch with the best
// parameters so far. The second one abandons it, and so does the first for models that have no
// epochs to end after; both raise KeyboardInterrupt.
class Training {
 public:
  Training(nb::object on_epoch, bool has_epochs)
      : on_epoch_(std::move(on_epoch)), has_epochs_(has_epochs) {}

  Run run(const Dataset& data, const TrainOptions& options) {
    TrainCallbacks callbacks;
    callbacks.on_epoch = [this](const EpochReport& report) { return keep_on(report); };
    callbacks.on_progress = [this](uint32_t, double) { poll(); };
    callbacks.cancel = &cancel_;
    std::optional<Run> run;
    try {
      const nb::gil_scoped_release no_gil;
      run.emplace(train(data, options, callbacks));
    } catch (const Cancelled&) {
    }
    if (error_) std::rethrow_exception(error_);
    if (!run || cancel_) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw nb::python_error();
    }
    return std::move(*run);
  }
  bool interrupted() const { return interrupts_.count() > 0; }

 private:
  bool keep_on(const EpochReport& report) {
    poll();
    if (error_ || interrupted()) return false;
    if (on_epoch_.is_none()) return true;
    const nb::gil_scoped_acquire gil;
    try {
      return nb::cast<bool>(on_epoch_(report_dict(report)));
    } catch (const nb::python_error& error) {
      if (error.matches(PyExc_KeyboardInterrupt))
        interrupts_.add();
      else
        error_ = std::current_exception();
      return false;
    } catch (...) {
      error_ = std::current_exception();
      return false;
    }
  }
  void poll() {
    interrupts_.check();
    if (interrupts_.count() > (has_epochs_ ? 1 : 0)) cancel_ = true;
  }

  nb::object on_epoch_;
  bool has_epochs_;
  Interrupts interrupts_;
  std::atomic<bool> cancel_{false};
  std::exception_ptr error_;
};

std::pair<Run, bool> train_dataset(const Dataset& data, const NamedValues& values,
                                   const fs::path& folder, bool resume, double checkpoint_seconds,
                                   int threads, const nb::object& on_epoch,
                                   const TrainedModel* initial_model) {
  TrainOptions options;
  options.folder = folder;
  options.resume = resume;
  options.checkpoint_seconds = checkpoint_seconds;
  options.threads = threads;
  options.initial_model = initial_model;
  // Through the table, so that aliases and spellings are those of the tool.
  TrainingTable table;
  apply(values, table.options());
  options.settings = table.given();
  Training training(on_epoch, !is_fitted(table.options().find("model")->value()));
  Run run = training.run(data, options);
  return {std::move(run), training.interrupted()};
}

}  // namespace

void bind_train(nb::module_& m) {
  nb::class_<Run>(m, "Run")
      .def_prop_ro("result", [](const Run& run) { return result_dict(run.result()); })
      .def_prop_ro("folder", &Run::folder)
      .def_prop_ro("model", &Run::model, nb::rv_policy::reference_internal);
  m.def("train", &train_dataset, nb::arg("data"), nb::arg("options"), nb::arg("folder"),
        nb::arg("resume"), nb::arg("checkpoint_seconds"), nb::arg("threads"),
        nb::arg("on_epoch").none(), nb::arg("initial_model").none());
}

}  // namespace divns::python
