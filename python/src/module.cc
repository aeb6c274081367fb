// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "bindings.h"
#include "divns/version.h"

namespace divns::python {
namespace {

thread_local int noted_interrupts = 0;

}  // namespace

void note_interrupt() {
  ++noted_interrupts;
}

bool Interrupts::check() {
  count_ += std::exchange(noted_interrupts, 0);
  const int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
  if (now < next_ns_) return count_ > 0;
  next_ns_ = now + 50'000'000;
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) {
    PyErr_Clear();
    ++count_;
  }
  return count_ > 0;
}

}  // namespace divns::python

NB_MODULE(_core, m) {
  namespace nb = nanobind;
  using namespace divns::python;
  m.doc() = "The engine of divns. Use the package divns, not this module.";
  m.attr("__version__") = divns::kVersion;
  // The translator that is registered last is asked first.
  const auto error = nb::exception<divns::Error>(m, "Error", PyExc_ValueError);
  error.attr("__doc__") =
      "Something that the caller can change was wrong: an option, a file, an array.";
  const auto machine = nb::exception<divns::MachineError>(m, "MachineError", error);
  machine.attr("__doc__") = "The machine refused: the disk is full, or memory ran out.";
  bind_arrow(m);
  bind_catalog(m);
  bind_dataset(m);
  bind_model(m);
  bind_train(m);
  bind_evaluate(m);
  bind_lists(m);
  bind_sampler(m);
  bind_custom_sampler(m);
  bind_custom_loss(m);
  bind_custom_metric(m);
  bind_study(m);
  bind_dpp(m);
}
