# Compiles the kernels for GPUs by whatever compilers are here, and embeds what they make. A build without any is a good
# build: its worker says that it has no code for a device.
#   nvcc            a fat binary for the architectures that it knows of our list, with PTX of the oldest
#   clang           PTX that drivers of any age compile, without any vendor header
#   clang with lld  AMD code objects, the same way
#   hipcc           the same, where no such clang is here; GPUHARDEN_AMD_COMPILER=hipcc prefers it
# What is shipped has them all; a build for work has what its tests look at, and one under sanitizers the least.
if(GPUHARDEN_SANITIZE OR GPUHARDEN_COVERAGE OR GPUHARDEN_FUZZ)
  set(default_nvidia "")
  set(default_ptx "50")
  set(default_amd "gfx1030")
elseif(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(default_nvidia "75;90")
  set(default_ptx "80;75;50")
  set(default_amd "gfx90a;gfx1030")
else()
  set(default_nvidia "75;80;86;89;90;100;120")
  set(default_ptx "80;75;50")
  set(default_amd "gfx900;gfx906;gfx908;gfx90a;gfx942;gfx950;gfx1030;gfx1100;gfx1101;gfx1102;gfx1200;gfx1201")
endif()
set(GPUHARDEN_NVIDIA_ARCHITECTURES "${default_nvidia}" CACHE STRING "compute capabilities of the fat binary")
set(GPUHARDEN_PTX_ARCHITECTURES "${default_ptx}" CACHE STRING "compute capabilities of clang's PTX, newest first")
set(GPUHARDEN_AMD_ARCHITECTURES "${default_amd}" CACHE STRING "AMD code objects, where the compiler knows them")

set(device_source ${CMAKE_SOURCE_DIR}/kernels/device/kernels.cc)
file(GLOB device_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/device/*.h)
set(object_folder ${CMAKE_CURRENT_BINARY_DIR}/code)
file(MAKE_DIRECTORY ${object_folder})
set(object_files "")
set(object_lines "")

# kind: kFatBinary, kPtx or kAmd
function(add_code_object kind architecture file)
  add_custom_command(OUTPUT ${file} COMMAND ${ARGN} DEPENDS ${device_source} ${device_headers}
    COMMENT "Compiling kernels: ${architecture}" VERBATIM)
  set(object_files ${object_files} ${file} PARENT_SCOPE)
  set(object_lines ${object_lines} "${kind}|${architecture}|${file}" PARENT_SCOPE)
endfunction()

find_program(GPUHARDEN_NVCC nvcc HINTS /usr/local/cuda/bin /usr/lib/nvidia-cuda-toolkit/bin)
if(GPUHARDEN_NVCC)
  execute_process(COMMAND ${GPUHARDEN_NVCC} --list-gpu-arch OUTPUT_VARIABLE known_cuda ERROR_QUIET)
  set(cuda_options "")
  set(cuda_names "")
  foreach(number ${GPUHARDEN_NVIDIA_ARCHITECTURES})
    if(known_cuda MATCHES "compute_${number}\n")
      list(APPEND cuda_options -gencode arch=compute_${number},code=sm_${number})
      list(APPEND cuda_names sm_${number})
    endif()
  endforeach()
  if(cuda_names)
    list(GET cuda_names 0 oldest)
    string(REPLACE sm_ compute_ oldest ${oldest})
    list(APPEND cuda_options -gencode arch=${oldest},code=${oldest})
    string(REPLACE ";" " " cuda_words "${cuda_names}")
    add_code_object(kFatBinary "${cuda_words}" ${object_folder}/kernels.fatbin
      ${GPUHARDEN_NVCC} -std=c++17 -O3 -t 2 -fatbin ${cuda_options} -I${CMAKE_SOURCE_DIR} -x cu ${device_source}
      -o ${object_folder}/kernels.fatbin)
  endif()
endif()

find_program(GPUHARDEN_CLANG NAMES clang++-22 clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++-15
  clang++-14 clang++)
set(clang_major 0)
if(GPUHARDEN_CLANG)
  execute_process(COMMAND ${GPUHARDEN_CLANG} --version OUTPUT_VARIABLE clang_version)
  if(clang_version MATCHES "clang version ([0-9]+)\\.")
    set(clang_major ${CMAKE_MATCH_1})
  endif()
  execute_process(COMMAND ${GPUHARDEN_CLANG} --print-targets OUTPUT_VARIABLE clang_targets)
endif()
# sm_75 needs a newer PTX than the least that clang writes for it, for its matrix instructions.
if(clang_major GREATER_EQUAL 14 AND clang_targets MATCHES nvptx64)
  foreach(number ${GPUHARDEN_PTX_ARCHITECTURES})
    set(feature "")
    if(number EQUAL 75)
      set(feature -Xclang -target-feature -Xclang +ptx65)
    endif()
    add_code_object(kPtx sm_${number} ${object_folder}/sm_${number}.ptx
      ${GPUHARDEN_CLANG} -x cuda -std=c++17 -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_${number}
      ${feature} -Wno-unknown-cuda-version -O3 -S -I${CMAKE_SOURCE_DIR} ${device_source}
      -o ${object_folder}/sm_${number}.ptx)
  endforeach()
endif()

get_filename_component(clang_real "${GPUHARDEN_CLANG}" REALPATH)
get_filename_component(clang_folder "${clang_real}" DIRECTORY)
find_program(GPUHARDEN_LLD NAMES ld.lld-${clang_major} ld.lld HINTS ${clang_folder})
find_program(GPUHARDEN_HIPCC hipcc HINTS /opt/rocm/bin)
set(GPUHARDEN_AMD_COMPILER "" CACHE STRING "clang or hipcc; empty: clang where it can, else hipcc")
set(amd_compiler "")
set(amd_major 0)
if(clang_major GREATER_EQUAL 14 AND GPUHARDEN_LLD AND clang_targets MATCHES amdgcn
    AND NOT GPUHARDEN_AMD_COMPILER STREQUAL "hipcc")
  set(amd_compiler ${GPUHARDEN_CLANG} -x hip --cuda-device-only)
  set(amd_major ${clang_major})
elseif(GPUHARDEN_HIPCC AND NOT GPUHARDEN_AMD_COMPILER STREQUAL "clang")
  # It is a clang of AMD's or of the distribution with options of its own; without a GPU it complains and goes on.
  execute_process(COMMAND ${GPUHARDEN_HIPCC} --version OUTPUT_VARIABLE hipcc_version ERROR_QUIET)
  if(hipcc_version MATCHES "clang version ([0-9]+)\\.")
    set(amd_compiler ${GPUHARDEN_HIPCC} --genco)
    set(amd_major ${CMAKE_MATCH_1})
  endif()
endif()

# Which clang knows what: a compiler that does not know an architecture must not stop the build.
set(amd_known gfx900 gfx906 gfx908 gfx90a gfx1030)
if(amd_major GREATER_EQUAL 15)
  list(APPEND amd_known gfx1100 gfx1101 gfx1102)
endif()
if(amd_major GREATER_EQUAL 17)
  list(APPEND amd_known gfx942)
endif()
if(amd_major GREATER_EQUAL 18)
  list(APPEND amd_known gfx1200 gfx1201)
endif()
if(amd_major GREATER_EQUAL 20)
  list(APPEND amd_known gfx950)
endif()
if(amd_compiler)
  foreach(name ${GPUHARDEN_AMD_ARCHITECTURES})
    if(name IN_LIST amd_known)
      # Version 4 loads on every ROCm since 4.x.
      add_code_object(kAmd ${name} ${object_folder}/${name}.hsaco
        ${amd_compiler} -std=c++17 --no-gpu-bundle-output -nogpulib -nogpuinc -mcode-object-version=4
        --offload-arch=${name} -O3 -I${CMAKE_SOURCE_DIR} ${device_source} -o ${object_folder}/${name}.hsaco)
    endif()
  endforeach()
endif()

# The bytes, through the assembler; PTX is a text that ends with a zero.
set(code "// Made by kernels/cmake/code_objects.cmake.\n#include <array>\n#include \"kernels/worker/code_objects.h\"\n\n")
set(entries "")
set(said "")
list(LENGTH object_lines object_count)
set(index 0)
foreach(line ${object_lines})
  string(REPLACE "|" ";" parts "${line}")
  list(GET parts 0 kind)
  list(GET parts 1 architecture)
  list(GET parts 2 file)
  string(APPEND code "asm(\".section .rodata\\n.balign 64\\ngh_code_${index}:\\n.incbin \\\"${file}\\\"\\n.byte 0\\n"
    "gh_code_${index}_end:\\n.text\\n\");\nextern \"C\" {\nextern const unsigned char gh_code_${index}[];\n"
    "extern const unsigned char gh_code_${index}_end[];\n}\n")
  string(APPEND entries "      CodeObject{CodeKind::${kind}, \"${architecture}\", {gh_code_${index}, gh_code_${index}_end}},\n")
  string(APPEND said " ${architecture}")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND code "\nnamespace gpuharden::kernels {\nstd::span<const CodeObject> code_objects() {\n"
  "  static const std::array<CodeObject, ${object_count}> objects = {{\n${entries}  }};\n  return objects;\n}\n"
  "}  // namespace gpuharden::kernels\n")
set(code_source ${CMAKE_CURRENT_BINARY_DIR}/code_objects.cc)
file(GENERATE OUTPUT ${code_source} CONTENT "${code}")
set_source_files_properties(${code_source} PROPERTIES OBJECT_DEPENDS "${object_files}" SKIP_PRECOMPILE_HEADERS ON)
if(said)
  message(STATUS "GPU code objects:${said}")
else()
  message(STATUS "GPU code objects: none; neither nvcc, clang nor hipcc is here")
endif()
