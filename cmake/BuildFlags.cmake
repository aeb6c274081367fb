# SPDX-License-Identifier: Apache-2.0
# Warnings, sanitizers and coverage for our own targets: link divns_build_flags, PRIVATE.
add_library(divns_build_flags INTERFACE)
# Contraction into fused multiply-adds would make results depend on the compiler and its version.
target_compile_options(divns_build_flags INTERFACE -ffp-contract=off)
if(DIVNS_SANITIZE)
  # Left out, for a quarter of the build: what the address sanitizer finds by itself (null, object-size), what nothing here
  # can break (vptr), and alignment, which -Wcast-align answers at compile time.
  add_compile_options(-fsanitize=${DIVNS_SANITIZE} -fno-sanitize=null,object-size,vptr,alignment -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DIVNS_SANITIZE})
endif()
if(DIVNS_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
# A tenth of a build goes into looking for warnings; the sanitizer builds need not repeat it.
if(NOT DIVNS_SANITIZE)
  target_compile_options(divns_build_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Warnings are errors for the compiler that everybody builds with.
    target_compile_options(divns_build_flags INTERFACE -Werror -Wcast-align=strict)
    # GCC 12 finds overlapping copies inside std::string where there are none (GCC bug 105651); the address sanitizer finds
    # the real ones.
    target_compile_options(divns_build_flags INTERFACE -Wno-restrict)
  endif()
endif()
