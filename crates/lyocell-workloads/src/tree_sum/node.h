/* `Node` of arena.rs, in C. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct node {
    uint64_t value;
    const struct node *first;
    const struct node *second;
} node_t;

/* The compiler shall not see that it is the same tree each time. */
static inline const node_t *again(const node_t *root)
{
    __asm__ volatile("" : "+r"(root) : : "memory");
    return root;
}
