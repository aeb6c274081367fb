# SPDX-License-Identifier: Apache-2.0
# Included by src/CMakeLists.txt: properties of a source file are known only in the folder of its target.
# The page is bundled from report-ui/ once for all presets; without npm the file is empty (scripts/report-page).
set(DIVNS_REPORT_PAGE "" CACHE FILEPATH "HTML page of the report to embed; empty: built from report-ui/")
if(DIVNS_REPORT_PAGE)
  set(page ${DIVNS_REPORT_PAGE})
else()
  set(page_folder ${PROJECT_SOURCE_DIR}/build/report-page)
  set(page ${page_folder}/report.html)
  file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report-ui/src/*)
  add_custom_command(OUTPUT ${page}
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/report-page ${page_folder}
    DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/report-ui/build.mjs ${PROJECT_SOURCE_DIR}/report-ui/package-lock.json
            ${PROJECT_SOURCE_DIR}/scripts/report-page
    COMMENT "Building the page of the report" VERBATIM)
endif()
set_source_files_properties(summary/page.cc PROPERTIES
  OBJECT_DEPENDS ${page} SKIP_UNITY_BUILD_INCLUSION ON COMPILE_DEFINITIONS "DIVNS_REPORT_PAGE=\"${page}\"")
