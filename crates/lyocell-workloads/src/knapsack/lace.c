/* Knapsack in pure C: the same search as in mod.rs. As in the other engines the branch without the item comes first, so
 * the other one is spawned. */
#include "../lace/program.h"
#include "choice.h"

TASK(uint32_t, knapsack, const choice_t *, choice, uint32_t, next, int32_t, room, uint32_t, value)

uint32_t knapsack_CALL(lace_worker *worker, const choice_t *choice, uint32_t next, int32_t room, uint32_t value)
{
    if (room < 0) return 0;
    if (next == choice->count || room == 0) return value;
    item_t item = choice->items[next];
    uint64_t divisible = (uint64_t)room * item.value / item.weight;
    if (value + divisible < atomic_load_explicit(choice->best, memory_order_relaxed)) return 0;
    knapsack_SPAWN(worker, choice, next + 1, room - (int32_t)item.weight, value + item.value);
    uint32_t a = knapsack_CALL(worker, choice, next + 1, room, value);
    uint32_t b = knapsack_SYNC(worker);
    return better(choice, a, b);
}

uint32_t lyocell_lace_knapsack(const choice_t *choice, int32_t capacity)
{
    return knapsack(choice, 0, capacity, 0);
}
