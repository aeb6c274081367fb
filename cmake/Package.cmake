# SPDX-License-Identifier: Apache-2.0
# Debian packages by CPack: `divns` is the tool, `libdivns-dev` the static library with its headers.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME divns)
set(CPACK_PACKAGE_VENDOR "divns developers")
set(CPACK_PACKAGE_CONTACT "divns developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL tool dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME divns)
# dpkg-shlibdeps derives the run-time dependencies from the libraries that the program is linked with.
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_TOOL_DESCRIPTION
    "Trains implicit-feedback recommenders with diverse negative sampling and compares samplers. Command-line tool.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libdivns-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
# The library is static: programs link its own libraries again. Keep in step with divnsConfig.cmake.in.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libtbb-dev, libfmt-dev, zlib1g-dev, libzstd-dev, libsimdjson-dev, libtomlplusplus-dev, libhwy-dev, libxxhash-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION
    "Static library, headers and CMake package for programs that train or use divns models.")
include(CPack)
