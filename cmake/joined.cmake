# Folders compiled as one source each: what their headers cost is paid once. A build of everything takes half the time, a
# single change longer; and a source that lacks an include is not found out. So it is for builds of everything: under the
# sanitizers, for release, and the tests in CI.
option(GPUHARDEN_JOINED "compile tests and the sanitized build folder by folder" $ENV{CI})

# gpuharden_join TARGET FOLDER...: in these folders, names in unnamed namespaces must differ between files.
function(gpuharden_join target)
  foreach(folder ${ARGN})
    file(GLOB sources ${CMAKE_SOURCE_DIR}/${folder}/*.cc)
    string(REPLACE "/" "_" group ${folder})
    set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A local name may be that of another file's constant.
  target_compile_options(${target} PRIVATE -Wno-error=shadow)
endfunction()
