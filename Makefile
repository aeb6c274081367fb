# SPDX-License-Identifier: Apache-2.0
# make demo and make test do everything on a fresh Debian 12 machine; the rest is for developers.
PRESET ?= release
PREFIX ?= /usr/local
BUILD := build/$(PRESET)

.PHONY: help demo test bench format lint fuzz install build packages clean

help:
	@echo 'make demo     install what is missing, build, run the demonstration'
	@echo 'make test     the same, then run all tests'
	@echo 'make bench    run the benchmarks'
	@echo 'make format   lay out the code with clang-format'
	@echo 'make lint     clang-format and clang-tidy, as CI runs them'
	@echo 'make fuzz     run every fuzz target for FUZZ_SECONDS (15)'
	@echo 'make install  install the tool and the library under PREFIX ($(PREFIX))'
	@echo 'PRESET=debug|asan|tsan|coverage selects another build for build and test'

packages:
	@scripts/install-packages

build: packages
	@cmake --preset $(PRESET) >build-$(PRESET).log 2>&1 || { cat build-$(PRESET).log; rm build-$(PRESET).log; exit 1; }
	@rm -f build-$(PRESET).log
	@cmake --build --preset $(PRESET)

demo: build
	@scripts/demo $(BUILD)/apps/divns/divns

test: build
	@ctest --preset $(PRESET)

bench: packages
	@cmake --preset release -DDIVNS_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release
	@scripts/bench build/release

format: packages
	@scripts/lint --format

lint: packages
	@scripts/lint

fuzz: packages
	@scripts/fuzz

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	@rm -rf build
