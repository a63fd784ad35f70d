/* Plain recursion. */
#include "node.h"

static totals_t walk(const tree_t *tree, const node_t *node)
{
    totals_t totals = of_node(node);
    for (uint32_t i = 0; i < node->children; i++) {
        node_t child;
        make_child(tree, node, i, &child);
        totals = merge(totals, walk(tree, &child));
    }
    return totals;
}

void lyocell_serial_uts(const tree_t *tree, totals_t *totals)
{
    node_t root;
    make_root(tree, &root);
    *totals = walk(tree, &root);
}
