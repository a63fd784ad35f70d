/* Unbalanced tree search: a task for every child of a node. */
#include "../lace/program.h"
#include "node.h"

TASK(totals_t, uts, const tree_t *, tree, const node_t *, parent, uint32_t, index)

static totals_t expand(lace_worker *worker, const tree_t *tree, const node_t *node)
{
    totals_t totals = of_node(node);
    for (uint32_t i = 0; i < node->children; i++) {
        uts_SPAWN(worker, tree, node, i);
    }
    for (uint32_t i = 0; i < node->children; i++) {
        totals = merge(totals, uts_SYNC(worker));
    }
    return totals;
}

totals_t uts_CALL(lace_worker *worker, const tree_t *tree, const node_t *parent, uint32_t index)
{
    node_t node;
    make_child(tree, parent, index, &node);
    return expand(worker, tree, &node);
}

TASK(totals_t, uts_root, const tree_t *, tree)

totals_t uts_root_CALL(lace_worker *worker, const tree_t *tree)
{
    node_t root;
    make_root(tree, &root);
    return expand(worker, tree, &root);
}

void lyocell_lace_uts(const tree_t *tree, totals_t *totals)
{
    *totals = uts_root(tree);
}
