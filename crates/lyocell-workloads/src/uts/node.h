/* A tree and its nodes, in C: what node.rs and tree.rs have, for the C compiler to inline where it likes. Only the
 * compression of SHA-1 is the Rust library's, which every engine calls: it uses the processor's own instructions. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* `Parameters` of c.rs. */
typedef enum { GEOMETRIC = 0, BINOMIAL = 1, HYBRID = 2 } kind_t;
typedef enum { LINEAR = 0, CYCLIC = 1, FIXED = 2 } shape_t;

typedef struct {
    double branching;
    double probability;
    uint32_t kind;
    uint32_t shape;
    uint32_t depth;
    uint32_t binomial_children;
    uint32_t seed;
} tree_t;

#define STATE_BYTES 20
#define BLOCK_BYTES 64
#define MAX_CHILDREN 100
#define RANDOM_RANGE 2147483648.0
#define HYBRID_SHIFT 0.5
#define PI 3.14159265358979323846

typedef struct {
    uint8_t state[STATE_BYTES];
    uint32_t height;
    uint32_t children;
} node_t;

/* `Totals` of mod.rs. */
typedef struct {
    uint64_t nodes;
    uint64_t depth;
    uint64_t leaves;
} totals_t;

#ifdef __cplusplus
extern "C"
#endif
void lyocell_uts_compress(uint32_t words[5], const uint8_t block[BLOCK_BYTES]);

static inline void store_big_endian(uint8_t *bytes, uint32_t word)
{
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

static inline uint32_t load_big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* SHA-1 of the first `length` bytes of `block`, whose rest is zero. */
static inline void digest(uint8_t block[BLOCK_BYTES], size_t length, uint8_t state[STATE_BYTES])
{
    uint32_t words[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    block[length] = 0x80;
    store_big_endian(block + BLOCK_BYTES - 4, (uint32_t)length * 8);
    lyocell_uts_compress(words, block);
    for (int i = 0; i < 5; i++) store_big_endian(state + 4 * i, words[i]);
}

static inline double mean(const tree_t *tree, uint32_t height)
{
    double depth = tree->depth, level = height;
    if (height == 0) return tree->branching;
    switch (tree->shape) {
    case LINEAR: return tree->branching * (1.0 - level / depth);
    case CYCLIC:
        if (height > 5 * tree->depth) return 0.0;
        return pow(tree->branching, sin(2.0 * PI * level / depth));
    default: return height < tree->depth ? tree->branching : 0.0;
    }
}

static inline uint32_t geometric_children(const tree_t *tree, uint32_t height, double uniform)
{
    double success = 1.0 / (1.0 + mean(tree, height));
    return (uint32_t)(log(1.0 - uniform) / log(1.0 - success));
}

static inline uint32_t binomial_children(const tree_t *tree, double uniform)
{
    return uniform < tree->probability ? tree->binomial_children : 0;
}

/* The number of children of a node at `height` whose random number is `random`. */
static inline uint32_t children_of(const tree_t *tree, uint32_t height, uint32_t random)
{
    double uniform = random / RANDOM_RANGE;
    uint32_t children;
    if (tree->kind == BINOMIAL && height == 0) return (uint32_t)tree->branching;
    if (tree->kind == BINOMIAL || (tree->kind == HYBRID && !(height < HYBRID_SHIFT * tree->depth))) {
        children = binomial_children(tree, uniform);
    } else {
        children = geometric_children(tree, height, uniform);
    }
    return children < MAX_CHILDREN ? children : MAX_CHILDREN;
}

static inline void finish(const tree_t *tree, node_t *node, uint32_t height)
{
    uint32_t random = load_big_endian(node->state + STATE_BYTES - 4) & 0x7fffffff;
    node->height = height;
    node->children = children_of(tree, height, random);
}

static inline void make_root(const tree_t *tree, node_t *root)
{
    uint8_t block[BLOCK_BYTES] = {0};
    store_big_endian(block + STATE_BYTES - 4, tree->seed);
    digest(block, STATE_BYTES, root->state);
    finish(tree, root, 0);
}

static inline void make_child(const tree_t *tree, const node_t *parent, uint32_t index, node_t *child)
{
    uint8_t block[BLOCK_BYTES] = {0};
    memcpy(block, parent->state, STATE_BYTES);
    store_big_endian(block + STATE_BYTES, index);
    digest(block, STATE_BYTES + 4, child->state);
    finish(tree, child, parent->height + 1);
}

static inline totals_t of_node(const node_t *node)
{
    totals_t totals = {1, node->height, node->children == 0};
    return totals;
}

static inline totals_t merge(totals_t a, totals_t b)
{
    totals_t totals = {a.nodes + b.nodes, a.depth > b.depth ? a.depth : b.depth, a.leaves + b.leaves};
    return totals;
}
