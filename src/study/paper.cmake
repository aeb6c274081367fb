# SPDX-License-Identifier: Apache-2.0
# The paper's figures travel inside the library, so that an installed tool finds them.
file(GLOB paper_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/paper/*.json)
set(DIVNS_PAPER_FILES "")
foreach(file IN LISTS paper_files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND DIVNS_PAPER_FILES "    {\"${name}\", R\"json(${text})json\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/paper_files.cc.in paper_files.cc @ONLY)
target_sources(divns PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/paper_files.cc)
