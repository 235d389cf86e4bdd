export LD_LIBRARY_PATH=/opt/rocm/lib
