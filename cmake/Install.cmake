# SPDX-License-Identifier: Apache-2.0
# Two components: `tool` is the program, `dev` the library and its headers. `cmake --install` installs both.
include(CMakePackageConfigHelpers)
set(DIVNS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/divns)

install(TARGETS divns EXPORT divnsTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/divns DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(FILES ${PROJECT_BINARY_DIR}/include/divns/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/divns COMPONENT dev)
install(EXPORT divnsTargets NAMESPACE divns:: DESTINATION ${DIVNS_CMAKE_DIR} COMPONENT dev)
configure_package_config_file(cmake/divnsConfig.cmake.in divnsConfig.cmake
  INSTALL_DESTINATION ${DIVNS_CMAKE_DIR})
write_basic_package_version_file(divnsConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/divnsConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/divnsConfigVersion.cmake
        DESTINATION ${DIVNS_CMAKE_DIR} COMPONENT dev)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libdivns-dev RENAME copyright COMPONENT dev)
if(DIVNS_BUILD_APPS)
  install(TARGETS divns_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
  if(TARGET divns_mpi_tool)
    install(TARGETS divns_mpi_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi)
  endif()
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/divns RENAME copyright COMPONENT tool)
  install(FILES ${PROJECT_BINARY_DIR}/apps/divns/completion.bash RENAME divns
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
  install(FILES ${PROJECT_BINARY_DIR}/apps/divns/completion.zsh RENAME _divns
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tool)
endif()

# Everything that is installed, and nothing else: no tests, no benchmarks.
add_custom_target(divns_product DEPENDS divns)
if(DIVNS_BUILD_APPS)
  add_dependencies(divns_product divns_tool)
  if(TARGET divns_mpi_tool)
    add_dependencies(divns_product divns_mpi_tool)
  endif()
  if(TARGET divns_completion)
    add_dependencies(divns_product divns_completion)
  endif()
endif()
