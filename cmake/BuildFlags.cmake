# SPDX-License-Identifier: Apache-2.0
# Warnings, sanitizers and coverage for our own targets: link divns_build_flags, PRIVATE.
add_library(divns_build_flags INTERFACE)
target_compile_options(divns_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor)
# Contraction into fused multiply-adds would make results depend on the compiler's mood.
target_compile_options(divns_build_flags INTERFACE -ffp-contract=off)
if(DIVNS_SANITIZE)
  add_compile_options(-fsanitize=${DIVNS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DIVNS_SANITIZE})
endif()
if(DIVNS_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
option(DIVNS_PRECOMPILED_HEADERS "Parse the standard headers once a target" ON)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Warnings are errors for the compiler that everybody builds with; clang only builds for sanitizers.
  target_compile_options(divns_build_flags INTERFACE -Werror)
  # GCC 12 finds overlapping copies inside std::string where there are none (GCC bug 105651), and endless ones (105329)
  # where headers are precompiled; the address sanitizer finds the real ones.
  target_compile_options(divns_build_flags INTERFACE -Wno-restrict)
  if(DIVNS_PRECOMPILED_HEADERS)
    target_compile_options(divns_build_flags INTERFACE -Wno-stringop-overflow -Wno-array-bounds)
  endif()
endif()

# Most files are small beside the headers they read: parsing those once halves the build. Off in the debug preset, which
# thereby proves that every file includes what it uses, and for clang-tidy.
function(divns_precompile target)
  if(DIVNS_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <numeric> <optional> <span> <string>
      <string_view> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()
