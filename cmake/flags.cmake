# Warnings are errors where the project is worked on (a Debug build); another compiler's new warning
# must not keep a user from his audit. Under sanitizers g++ warns of what is not so. What is shipped
# is hardened.
add_library(gpuharden_flags INTERFACE)
target_compile_options(gpuharden_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -fstack-protector-strong)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT GPUHARDEN_SANITIZE)
  target_compile_options(gpuharden_flags INTERFACE -Werror)  # clang, for fuzzing, warns of other things
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # With optimisation g++ 12 sees overlaps in std::string that are not there (GCC bug 105651).
  target_compile_options(gpuharden_flags INTERFACE -Wno-restrict)
endif()
target_link_options(gpuharden_flags INTERFACE -Wl,--as-needed -Wl,-z,relro -Wl,-z,now)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(CMAKE_BUILD_TYPE STREQUAL "Release" OR CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  target_compile_options(gpuharden_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
target_link_options(gpuharden_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)
if(GPUHARDEN_SANITIZE)
  # The vptr check probes memory by system calls that the reader's sandbox refuses.
  target_compile_options(gpuharden_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gpuharden_flags INTERFACE -fsanitize=address,undefined)
endif()
if(GPUHARDEN_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "GPUHARDEN_FUZZ needs clang: cmake --preset fuzz")
  endif()
  # Targets add the fuzzer itself when they are linked.
  target_compile_options(gpuharden_flags INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gpuharden_flags INTERFACE -fsanitize=address,undefined)
endif()
if(GPUHARDEN_COVERAGE)
  target_compile_options(gpuharden_flags INTERFACE --coverage)
  target_link_options(gpuharden_flags INTERFACE --coverage)
endif()
find_program(CCACHE ccache)
if(CCACHE)
  # Paths are taken relative to the sources, so that checkouts share what is compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
target_compile_options(gpuharden_flags INTERFACE -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
