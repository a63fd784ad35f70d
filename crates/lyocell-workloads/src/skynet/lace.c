/* Skynet in pure C: a loop of SPAWN, a loop of SYNC. */
#include "../lace/program.h"

enum { CHILDREN = 10 };

TASK(uint64_t, skynet, uint64_t, first, uint64_t, count)

uint64_t skynet_CALL(lace_worker *worker, uint64_t first, uint64_t count)
{
    if (count == 1) return first;
    uint64_t below = count / CHILDREN;
    for (uint64_t i = 0; i < CHILDREN; i++) skynet_SPAWN(worker, first + i * below, below);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < CHILDREN; i++) sum += skynet_SYNC(worker);
    return sum;
}

uint64_t lyocell_lace_skynet(uint64_t first, uint64_t count)
{
    return skynet(first, count);
}
