// SPDX-License-Identifier: GPL-2.0-or-later
// One vocabulary for nvcc, hipcc, bare clang (CUDA and HIP without any vendor header) and host C++. Kernels are written
// in phases: what stands in one GH_EACH_THREAD loop is done by all threads of a block, and GH_BARRIER stands between
// two phases. On a GPU a phase is straight code; on the host it is a loop over the threads of the block.
#pragma once

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;

// Every kernel runs in blocks of this many threads.
constexpr u32 kBlockThreads = 256;

#if defined(__CUDA__) && defined(__clang__) && !defined(GH_VENDOR_HEADERS)
#define GH_CUDA 1
#define GH_BARE 1
#elif defined(__HIP__) && defined(__clang__) && !defined(GH_VENDOR_HEADERS)
#define GH_HIP 1
#define GH_BARE 1
#elif defined(__HIP__)
#define GH_HIP 1
#elif defined(__CUDACC__)
#define GH_CUDA 1
#endif

#if defined(GH_BARE)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#endif

#if defined(GH_CUDA) || defined(GH_HIP)
#define GH_DEVICE 1
#define GH_FUNCTION __device__ inline
#define GH_SHARED __shared__
#define GH_EACH_THREAD(thread) if (const u32 thread = gh_thread_index(); true)
// A variable of each thread that lives from one phase to the next.
template <typename T>
using Private = T;
#define GH_OWN(name, thread) name
#define GH_UNROLL _Pragma("unroll")
#define GH_KERNEL extern "C" __global__ void __launch_bounds__(256, 2)
#else
#define GH_FUNCTION inline
#define GH_SHARED
#define GH_EACH_THREAD(thread) for (u32 thread = 0; thread < kBlockThreads; ++thread)
template <typename T>
struct HostPrivate {
  T own[kBlockThreads];
};
template <typename T>
using Private = HostPrivate<T>;
#define GH_OWN(name, thread) (name).own[thread]
#define GH_UNROLL
#define GH_KERNEL extern "C" void
#endif

#if defined(GH_BARE)
#if defined(GH_HIP)
#define __launch_bounds__(threads, blocks) __attribute__((amdgpu_flat_work_group_size(threads, threads)))
#else
#define __launch_bounds__(threads, blocks) __attribute__((launch_bounds(threads, blocks)))
#endif
#endif

#if defined(GH_BARE) && defined(GH_CUDA)
GH_FUNCTION u32 gh_thread_index() { return __nvvm_read_ptx_sreg_tid_x(); }
GH_FUNCTION u32 gh_block_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
GH_FUNCTION u32 gh_block_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
#define GH_BARRIER() __syncthreads()
#elif defined(GH_BARE) && defined(GH_HIP)
GH_FUNCTION u32 gh_thread_index() { return __builtin_amdgcn_workitem_id_x(); }
GH_FUNCTION u32 gh_block_x() { return __builtin_amdgcn_workgroup_id_x(); }
GH_FUNCTION u32 gh_block_y() { return __builtin_amdgcn_workgroup_id_y(); }
// The number of blocks is an argument of every kernel that needs it: without the vendor's device library the dispatch
// packet's place differs between versions of code objects.
#define GH_BARRIER()                                       \
  do {                                                     \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                          \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)
#elif defined(GH_DEVICE)
GH_FUNCTION u32 gh_thread_index() { return threadIdx.x; }
GH_FUNCTION u32 gh_block_x() { return blockIdx.x; }
GH_FUNCTION u32 gh_block_y() { return blockIdx.y; }
#define GH_BARRIER() __syncthreads()
#else
// Which block a kernel is run for; a test or the test driver sets it before each call.
struct HostBlock {
  u32 x = 0, y = 0;
};
inline thread_local HostBlock host_block;
inline u32 gh_block_x() { return host_block.x; }
inline u32 gh_block_y() { return host_block.y; }
#define GH_BARRIER() static_cast<void>(0)
#endif

#if defined(GH_DEVICE) && !defined(GH_BARE)
GH_FUNCTION void gh_add(u64* place, u64 value) { atomicAdd(place, value); }
GH_FUNCTION void gh_add(u32* place, u32 value) { atomicAdd(place, value); }
GH_FUNCTION void gh_min(u64* place, u64 value) { atomicMin(place, value); }
GH_FUNCTION void gh_max(u64* place, u64 value) { atomicMax(place, value); }
GH_FUNCTION void gh_or(u64* place, u64 value) { atomicOr(place, value); }
#else
GH_FUNCTION void gh_add(u64* place, u64 value) { __atomic_fetch_add(place, value, __ATOMIC_RELAXED); }
GH_FUNCTION void gh_add(u32* place, u32 value) { __atomic_fetch_add(place, value, __ATOMIC_RELAXED); }
GH_FUNCTION void gh_or(u64* place, u64 value) { __atomic_fetch_or(place, value, __ATOMIC_RELAXED); }
#if defined(GH_DEVICE)
GH_FUNCTION void gh_min(u64* place, u64 value) { __atomic_fetch_min(place, value, __ATOMIC_RELAXED); }
GH_FUNCTION void gh_max(u64* place, u64 value) { __atomic_fetch_max(place, value, __ATOMIC_RELAXED); }
#else
// Host blocks run one after the other.
inline void gh_min(u64* place, u64 value) { *place = value < *place ? value : *place; }
inline void gh_max(u64* place, u64 value) { *place = value > *place ? value : *place; }
#endif
#endif

// Which unit of the chip runs this block, plus one; 0 where it cannot be asked for.
GH_FUNCTION u32 gh_unit() {
#if defined(GH_CUDA)
  u32 unit = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
  return unit + 1;
#elif defined(GH_HIP) && (defined(__gfx900__) || defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__))
  // HW_ID: compute unit in bits 8 to 11, shader array in 12, shader engine from 13 on.
  return ((__builtin_amdgcn_s_getreg((31U << 11U) | 4U) >> 8U) & 0xFFU) + 1;
#else
  return 0;
#endif
}
