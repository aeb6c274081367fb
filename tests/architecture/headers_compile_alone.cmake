# SPDX-License-Identifier: Apache-2.0
file(GLOB headers ${INCLUDE}/divns/*.h ${GENERATED}/divns/*.h)
if(NOT headers)
  message(FATAL_ERROR "No header in ${INCLUDE}/divns.")
endif()
foreach(header ${headers})
  execute_process(
    COMMAND ${CXX} -std=c++20 -fsyntax-only -Wall -Wextra -Werror
            -I${INCLUDE} -I${GENERATED} -include ${header} -x c++ /dev/null
    RESULT_VARIABLE failed ERROR_VARIABLE errors)
  if(failed)
    message(SEND_ERROR "${header} does not compile alone:\n${errors}")
  endif()
endforeach()
