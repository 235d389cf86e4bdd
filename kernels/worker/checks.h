// SPDX-License-Identifier: GPL-2.0-or-later
// The checks; each sends its lines.
#pragma once

#include "kernels/worker/examine.h"

namespace gpuharden::kernels {

// Two products of one type with different data.
Failure check_product(Driver& driver, const Examination& examination, const ProductPlan& plan);
// Permutation, atomic additions, copies through pinned memory, on the device and to its peers.
Failure check_data(Driver& driver, const Examination& examination, const Plan& plan);
Failure check_peers(Driver& driver, const Examination& examination, const Plan& plan);
// The products once more by the vendor's library, where one is installed: its rate, and a load on the matrix units.
Failure check_library(Driver& driver, const Examination& examination, const Plan& plan);
Failure check_patterns(Driver& driver, const Examination& examination, const Plan& plan);

}  // namespace gpuharden::kernels
