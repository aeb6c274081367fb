# SPDX-License-Identifier: Apache-2.0
# On a fresh Debian 12 every target first installs the packages that it needs and that are missing (packages.txt).
PRESET ?= release
PREFIX ?= /usr/local
BUILD := build/$(PRESET)
CONFIGURE := scripts/configure

.PHONY: help tool build demo test bench format lint fuzz hostile test-python-asan torture install package wheel docs clean

help:
	@echo 'make demo     build the tool and run the demonstration'
	@echo 'make test     build everything and run all tests'
	@echo 'make bench    run the benchmarks'
	@echo 'make format   format the code with clang-format'
	@echo 'make lint     run clang-format and clang-tidy as CI does'
	@echo 'make fuzz     run every fuzz target for FUZZ_SECONDS (15)'
	@echo 'make hostile  run every hostile case: damaged files, failing disks, streams, options'
	@echo 'make test-python-asan  run the tests of the Python extension under AddressSanitizer'
	@echo 'make torture  kill the tool 300 times and compare the results'
	@echo 'make install  install the tool and the library under PREFIX ($(PREFIX))'
	@echo 'make package  build the Debian packages in build/packages'
	@echo 'make wheel    build the Python wheel in build/wheels'
	@echo 'make docs     build the documentation site in build/docs/site'
	@echo 'Each target first installs the Debian packages that it needs (packages.txt).'
	@echo 'PRESET=debug|asan|tsan|coverage selects another build for make build and make test.'

# The tool alone, without the tests: what demo, install and package need. Tests that are already configured stay configured.
tool:
	@scripts/install-packages build
	@test -f $(BUILD)/CMakeCache.txt || $(CONFIGURE) $(PRESET) -DDIVNS_BUILD_TESTS=OFF
	@cmake --build --preset $(PRESET) --target divns_product

build:
	@scripts/install-packages build test mpi python $(if $(filter asan,$(PRESET)),fuzz)
	@$(CONFIGURE) $(PRESET)
	@cmake --build --preset $(PRESET)

demo: tool
	@scripts/demo $(BUILD)/apps/divns/divns

test: build
	@scripts/test $(PRESET)

bench:
	@scripts/install-packages build test bench
	@$(CONFIGURE) release -DDIVNS_BUILD_BENCH=ON
	@cmake --build --preset release
	@scripts/bench build/release

format:
	@scripts/install-packages lint
	@scripts/lint --format

lint:
	@scripts/install-packages build lint
	@scripts/lint

fuzz:
	@scripts/install-packages build test fuzz
	@scripts/fuzz

hostile: build
	@python3 tests/hostile/hostile.py $(BUILD)/apps/divns/divns $(BUILD)/tests/hostile/libdivns_faults.so

test-python-asan:
	@scripts/install-packages build python
	@$(CONFIGURE) python-asan
	@cmake --build --preset python-asan --target divns
	@scripts/test-python build/python-asan --asan

torture: build
	@python3 tests/hostile/torture.py $(BUILD)/apps/divns/divns $(BUILD)/tests/hostile/libdivns_faults.so

install: tool
	@cmake --install $(BUILD) --prefix $(PREFIX)

package: tool
	@scripts/install-packages package
	@cpack --config $(BUILD)/CPackConfig.cmake -B build/packages

wheel:
	@scripts/install-packages build python
	@scripts/wheel

docs:
	@scripts/install-packages docs
	@scripts/docs

clean:
	@rm -rf build
