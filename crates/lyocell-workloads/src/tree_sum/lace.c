/* Tree sum in pure C: the second child is spawned and the first one called, so that the tree is read in the order in
 * which the other engines read it. */
#include "../lace/program.h"
#include "node.h"

TASK(uint64_t, tree_sum, const node_t *, node)

uint64_t tree_sum_CALL(lace_worker *worker, const node_t *node)
{
    if (node->first == NULL) return node->value;
    if (node->second == NULL) return node->value + tree_sum_CALL(worker, node->first);
    tree_sum_SPAWN(worker, node->second);
    uint64_t a = tree_sum_CALL(worker, node->first);
    uint64_t b = tree_sum_SYNC(worker);
    return node->value + a + b;
}

TASK(uint64_t, tree_sums, const node_t *, root, uint64_t, sums)

uint64_t tree_sums_CALL(lace_worker *worker, const node_t *root, uint64_t sums)
{
    uint64_t total = 0;
    for (uint64_t sum = 0; sum < sums; sum++) total += tree_sum_CALL(worker, again(root));
    return total;
}

uint64_t lyocell_lace_tree_sum(const node_t *root, uint64_t sums)
{
    return tree_sums(root, sums);
}
