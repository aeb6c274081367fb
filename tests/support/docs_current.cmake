# SPDX-License-Identifier: Apache-2.0
# docs/samplers.md ends with what `divns list samplers --markdown` prints, and docs/losses.md likewise.
#   cmake -DDIVNS=<tool> -DLIST=samplers -DPAGE=docs/samplers.md [-DUPDATE=ON] -P docs_current.cmake
set(marker "<!-- What follows is printed by `divns list ${LIST} --markdown`. -->\n")
execute_process(COMMAND ${DIVNS} list ${LIST} --markdown OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
file(READ ${PAGE} page)
string(FIND "${page}" "${marker}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${PAGE} has no line ${marker}")
endif()
string(SUBSTRING "${page}" 0 ${at} head)
set(expected "${head}${marker}\n${listing}")
if(UPDATE)
  file(WRITE ${PAGE} "${expected}")
elseif(NOT page STREQUAL expected)
  message(FATAL_ERROR "${PAGE} is not what the ${LIST} declare; "
    "update it with cmake -DDIVNS=${DIVNS} -DLIST=${LIST} -DPAGE=${PAGE} -DUPDATE=ON -P ${CMAKE_CURRENT_LIST_FILE}")
endif()
