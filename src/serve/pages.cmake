# SPDX-License-Identifier: Apache-2.0
# The page and the OpenAPI document travel inside the library.
foreach(page HTML:index.html CSS:page.css JS:page.js OPENAPI:openapi.json)
  string(REPLACE ":" ";" page ${page})
  list(GET page 0 name)
  list(GET page 1 file)
  set(file ${CMAKE_CURRENT_LIST_DIR}/page/${file})
  file(READ ${file} DIVNS_PAGE_${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/pages.cc.in pages.cc @ONLY)
target_sources(divns PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/pages.cc)
