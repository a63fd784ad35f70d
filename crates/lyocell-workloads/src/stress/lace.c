/* Trees of tasks, one after the other, within one call of Lace. */
#include "../lace/program.h"

size_t lyocell_stress_leaf(uint64_t iterations);

TASK(size_t, tree, uint32_t, height, uint64_t, iterations)
TASK(size_t, stress, uint32_t, height, uint64_t, iterations, uint64_t, trees)

size_t tree_CALL(lace_worker *worker, uint32_t height, uint64_t iterations)
{
    if (height == 0) return lyocell_stress_leaf(iterations);
    tree_SPAWN(worker, height - 1, iterations);
    size_t b = tree_CALL(worker, height - 1, iterations);
    size_t a = tree_SYNC(worker);
    return a + b;
}

size_t stress_CALL(lace_worker *worker, uint32_t height, uint64_t iterations, uint64_t trees)
{
    size_t sum = 0;
    for (uint64_t tree = 0; tree < trees; tree++) sum += tree_CALL(worker, height, iterations);
    return sum;
}

size_t lyocell_lace_stress(uint32_t height, uint64_t iterations, uint64_t trees)
{
    return stress(height, iterations, trees);
}
