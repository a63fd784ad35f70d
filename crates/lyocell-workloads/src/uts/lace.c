/* Unbalanced tree search: a task for every child of a node. */
#include "program.h"

/* `Node` of node.rs and `Totals` of mod.rs. */
typedef struct {
    uint8_t state[20];
    uint32_t height;
    uint32_t children;
} node_t;

typedef struct {
    uint64_t nodes;
    uint64_t leaves;
    uint64_t depth;
} totals_t;

void lyocell_uts_root(const void *tree, node_t *root);
void lyocell_uts_child(const void *tree, const node_t *parent, uint32_t index, node_t *child);

TASK(totals_t, uts, const void *, tree, const node_t *, parent, uint32_t, index)

static totals_t expand(lace_worker *worker, const void *tree, const node_t *node)
{
    totals_t totals = {0, 0, 0};
    if (node->children == 0) {
        totals.nodes = 1;
        totals.leaves = 1;
        totals.depth = node->height;
        return totals;
    }
    for (uint32_t i = 0; i < node->children; i++) {
        uts_SPAWN(worker, tree, node, i);
    }
    for (uint32_t i = 0; i < node->children; i++) {
        totals_t child = uts_SYNC(worker);
        totals.nodes += child.nodes;
        totals.leaves += child.leaves;
        if (child.depth > totals.depth) totals.depth = child.depth;
    }
    totals.nodes += 1;
    return totals;
}

totals_t uts_CALL(lace_worker *worker, const void *tree, const node_t *parent, uint32_t index)
{
    node_t node;
    lyocell_uts_child(tree, parent, index, &node);
    return expand(worker, tree, &node);
}

TASK(totals_t, uts_root, const void *, tree)

totals_t uts_root_CALL(lace_worker *worker, const void *tree)
{
    node_t root;
    lyocell_uts_root(tree, &root);
    return expand(worker, tree, &root);
}

void lyocell_lace_uts(const void *tree, totals_t *totals)
{
    *totals = uts_root(tree);
}
