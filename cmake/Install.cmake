# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

install(TARGETS divns EXPORT divnsTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/divns DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/divns/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/divns)
if(DIVNS_BUILD_APPS)
  install(TARGETS divns_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(EXPORT divnsTargets NAMESPACE divns:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/divns)
configure_package_config_file(cmake/divnsConfig.cmake.in divnsConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/divns)
write_basic_package_version_file(divnsConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/divnsConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/divnsConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/divns)
