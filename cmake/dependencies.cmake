# The libraries that the product stands on; a missing one stops the configuration with its name.
find_package(PkgConfig REQUIRED)
set(gpuharden_modules
  sqlite3>=3.37 yaml-cpp libkmod libmnl nettle libseccomp libcap re2 apt-pkg
  zlib liblzma libzstd)
add_library(gpuharden_dependencies INTERFACE)
foreach(module ${gpuharden_modules})
  string(REGEX REPLACE "[^A-Za-z0-9]" "_" name ${module})
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
  target_link_libraries(gpuharden_dependencies INTERFACE PkgConfig::${name})
endforeach()
find_package(nlohmann_json 3.9 REQUIRED)
find_package(CLI11 REQUIRED)
target_link_libraries(gpuharden_dependencies INTERFACE nlohmann_json::nlohmann_json)
