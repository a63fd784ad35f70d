/* Plain recursion. */
#include <stdint.h>

enum { CHILDREN = 10 };

static uint64_t skynet(uint64_t first, uint64_t count)
{
    if (count == 1) return first;
    uint64_t below = count / CHILDREN, sum = 0;
    for (uint64_t i = 0; i < CHILDREN; i++) sum += skynet(first + i * below, below);
    return sum;
}

uint64_t lyocell_serial_skynet(uint64_t first, uint64_t count)
{
    return skynet(first, count);
}
