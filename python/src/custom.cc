// SPDX-License-Identifier: Apache-2.0
#include "custom.h"

#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "divns/metric.h"

namespace divns::python {
namespace {

struct Specs {
  std::mutex busy;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const CustomSpec>> by_name;
};

Specs& specs() {
  static Specs all;
  return all;
}

CustomOption option_of(const nb::tuple& declared) {
  CustomOption option{.name = nb::cast<std::string>(declared[0])};
  const nb::handle value = declared[1];
  if (nb::isinstance<nb::bool_>(value))
    option.value = nb::cast<bool>(value);
  else if (nb::isinstance<nb::int_>(value))
    option.value = nb::cast<int64_t>(value);
  else if (nb::isinstance<nb::float_>(value))
    option.value = nb::cast<double>(value);
  else
    option.value = nb::cast<std::string>(value);
  option.low = nb::cast<std::optional<double>>(declared[2]);
  option.high = nb::cast<std::optional<double>>(declared[3]);
  option.help = nb::cast<std::string>(declared[4]);
  return option;
}

double metric_value(PyObject* function, const std::string& name, const RankedHits& hits) {
  const nb::gil_scoped_acquire gil;
  const nb::object answer =
      nb::handle(function)(copied<int64_t>(hits.ranks), hits.relevant, hits.cutoff);
  double value = 0;
  if (!nb::try_cast<double>(answer, value) || !(std::abs(value) <= 1e300))
    throw Error("the metric '" + name + "' returned " + nb::repr(answer).c_str() +
                "; expected a finite number.");
  return value;
}

}  // namespace

std::shared_ptr<const CustomSpec> find_custom(const std::string& kind, const std::string& name) {
  const std::scoped_lock alone(specs().busy);
  return specs().by_name.at({kind, name});
}

bool has_custom(const std::string& kind, const std::string& name) {
  const std::scoped_lock alone(specs().busy);
  return specs().by_name.contains({kind, name});
}

void keep_custom(const std::string& kind, const std::string& name, const nb::list& options,
                 bool reads_epoch_vectors, const nb::object& make) {
  CustomSpec spec{.name = name, .reads_epoch_vectors = reads_epoch_vectors};
  for (const nb::handle option : options)
    spec.options.push_back(option_of(nb::cast<nb::tuple>(option)));
  spec.make = make.inc_ref().ptr();
  const std::scoped_lock alone(specs().busy);
  specs().by_name[{kind, name}] = std::make_shared<const CustomSpec>(std::move(spec));
}

CustomObject::~CustomObject() {
  if (!adapter_.is_valid()) return;
  const nb::gil_scoped_acquire gil;
  adapter_.reset();
}

void CustomObject::declare(Options& options) {
  for (CustomOption& option : options_) {
    std::visit(
        [&](auto& value) {
          Option& added = options.add(spec_->name + "." + option.name, value, option.help);
          using Value = std::remove_reference_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, int64_t> || std::is_same_v<Value, double>)
            if (option.low || option.high)
              added.range(option.low.value_or(-std::numeric_limits<double>::infinity()),
                          option.high.value_or(std::numeric_limits<double>::infinity()));
        },
        option.value);
  }
}

void CustomObject::start(nb::dict run) {
  nb::dict values;
  for (const CustomOption& option : options_)
    std::visit([&](const auto& value) { values[option.name.c_str()] = nb::cast(value); },
               option.value);
  adapter_ = nb::handle(spec_->make)();
  call("start", run, values);
}

void bind_custom_metric(nb::module_& m) {
  m.def(
      "register_metric",
      [](const std::string& name, const std::string& formula, const nb::object& function) {
        PyObject* kept = function.inc_ref().ptr();
        register_metric({.name = name, .formula = formula, .value = [=](const RankedHits& hits) {
                           return metric_value(kept, name, hits);
                         }});
      },
      nb::arg("name"), nb::arg("formula"), nb::arg("function"));
}

}  // namespace divns::python
