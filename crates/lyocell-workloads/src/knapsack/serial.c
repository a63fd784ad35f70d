/* Plain recursion. */
#include "choice.h"

static uint32_t knapsack(const choice_t *choice, uint32_t next, int32_t room, uint32_t value)
{
    if (room < 0) return 0;
    if (next == choice->count || room == 0) return value;
    item_t item = choice->items[next];
    uint64_t divisible = (uint64_t)room * item.value / item.weight;
    if (value + divisible < atomic_load_explicit(choice->best, memory_order_relaxed)) return 0;
    uint32_t a = knapsack(choice, next + 1, room, value);
    uint32_t b = knapsack(choice, next + 1, room - (int32_t)item.weight, value + item.value);
    return better(choice, a, b);
}

uint32_t lyocell_serial_knapsack(const choice_t *choice, int32_t capacity)
{
    return knapsack(choice, 0, capacity, 0);
}
