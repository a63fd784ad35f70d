/* `Choice` of mod.rs, in C. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* `Item` of mod.rs. */
typedef struct {
    uint32_t value;
    uint32_t weight;
} item_t;

/* `Parameters` of c.rs. */
typedef struct {
    const item_t *items;
    uint32_t count;
    _Atomic(uint32_t) *best;
} choice_t;

static inline uint32_t better(const choice_t *choice, uint32_t a, uint32_t b)
{
    uint32_t better = a > b ? a : b;
    uint32_t best = atomic_load_explicit(choice->best, memory_order_relaxed);
    while (better > best && !atomic_compare_exchange_weak_explicit(choice->best, &best, better, memory_order_relaxed,
                                                                   memory_order_relaxed)) {
    }
    return better;
}
