// SPDX-License-Identifier: Apache-2.0
// Samplers, losses and metrics that are written in Python. The engine sees a subclass of its own
// interface, which calls a Python object: an adapter of divns._custom, whose arrays are normalised.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bindings.h"
#include "divns/options.h"

namespace divns::python {

// An option as Python declares it, with its value.
struct CustomOption {
  std::string name;
  std::variant<bool, int64_t, double, std::string> value;
  std::optional<double> low, high;
  std::string help;
};

// What a registration says. A later registration under the same name replaces it.
struct CustomSpec {
  std::string name;
  std::vector<CustomOption> options;
  bool reads_epoch_vectors = false;
  // Makes an adapter. The reference is never released: the registry outlives the interpreter.
  PyObject* make = nullptr;
};

// The specifications by kind ("sampler", "loss") and name, from any thread.
std::shared_ptr<const CustomSpec> find_custom(const std::string& kind, const std::string& name);
bool has_custom(const std::string& kind, const std::string& name);
// `options` are tuples (name, default, low, high, help).
void keep_custom(const std::string& kind, const std::string& name, const nb::list& options,
                 bool reads_epoch_vectors, const nb::object& make);

// One adapter with its option values. The adapter is made by start(); it may be released on a
// thread that does not hold the GIL.
class CustomObject {
 public:
  CustomObject(const std::string& kind, const std::string& name)
      : spec_(find_custom(kind, name)), options_(spec_->options) {}
  ~CustomObject();
  CustomObject(const CustomObject&) = delete;
  CustomObject& operator=(const CustomObject&) = delete;

  const CustomSpec& spec() const { return *spec_; }
  void declare(Options& options);
  // With the GIL: makes the adapter and hands it the option values and facts about the run.
  void start(nb::dict run);
  // With the GIL. Ctrl-C that arrives in the Python code is noted for the training, which ends
  // after the epoch; the call is repeated, so it must not change what it depends on.
  template <class... Arguments>
  nb::object call(const char* method, Arguments&&... arguments) const {
    try {
      return adapter_.attr(method)(arguments...);
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      note_interrupt();
    }
    return adapter_.attr(method)(arguments...);
  }

 private:
  std::shared_ptr<const CustomSpec> spec_;
  std::vector<CustomOption> options_;
  nb::object adapter_;
};

// A copy as a NumPy column that owns it.
template <class To, class From>
NewColumn<To> copied(std::span<const From> values) {
  return column_of(std::vector<To>(values.begin(), values.end()));
}

}  // namespace divns::python
