# The libraries that the product stands on; a missing one stops the configuration with its name.
find_package(PkgConfig REQUIRED)
set(gpuharden_modules
  sqlite3>=3.37 yaml-cpp libmnl nettle libseccomp libcap re2 apt-pkg
  zlib liblzma libzstd)
add_library(gpuharden_dependencies INTERFACE)
foreach(module ${gpuharden_modules})
  string(REGEX REPLACE "[^A-Za-z0-9]" "_" name ${module})
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
  target_link_libraries(gpuharden_dependencies INTERFACE PkgConfig::${name})
endforeach()
# Loaded when a command needs them (engine/native/lazy_library.h): an audit does not pay for them, so only their headers
# are used here.
foreach(module libkmod libnftables libsystemd)
  pkg_check_modules(${module} REQUIRED ${module})
  target_include_directories(gpuharden_dependencies SYSTEM INTERFACE ${${module}_INCLUDE_DIRS})
endforeach()
target_link_libraries(gpuharden_dependencies INTERFACE ${CMAKE_DL_LIBS})
# Only headers; not every release packages a CMake configuration beside them.
foreach(header CLI/CLI.hpp nlohmann/json.hpp)
  string(MAKE_C_IDENTIFIER header_${header} folder)
  find_path(${folder} ${header})
  if(NOT ${folder})
    message(FATAL_ERROR "${header} is missing (packages libcli11-dev, nlohmann-json3-dev)")
  endif()
  target_include_directories(gpuharden_dependencies SYSTEM INTERFACE ${${folder}})
endforeach()
