/* Plain recursion. */
#include "node.h"

static uint64_t tree_sum(const node_t *node)
{
    if (node->first == NULL) return node->value;
    if (node->second == NULL) return node->value + tree_sum(node->first);
    uint64_t a = tree_sum(node->first);
    return node->value + a + tree_sum(node->second);
}

uint64_t lyocell_serial_tree_sum(const node_t *root, uint64_t sums)
{
    uint64_t total = 0;
    for (uint64_t sum = 0; sum < sums; sum++) total += tree_sum(again(root));
    return total;
}
