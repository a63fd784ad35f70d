/* What our Lace programs share. Each keeps to the form of the benchmark programs in Lace's own
 * repository: a loop of SPAWN, a loop of SYNC. The work of a leaf is a Rust function that every engine
 * calls, so that engines differ in nothing but the cost of a task. */
#pragma once

#include <stdint.h>

#include <lace.h>
