/* What our Lace programs share. Each keeps to the form of the benchmark programs in Lace's own
 * repository: a loop of SPAWN, a loop of SYNC. Where a task is short (fib, queens, uts) all of it is in C, the same
 * algorithm as in Rust; a long leaf (matmul, stress) is the Rust function that every engine calls. */
#pragma once

#include <stdint.h>

#include <lace.h>
