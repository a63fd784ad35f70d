/* Wool, by its macros.
 *
 * Its best fair form: all of a short task in C, spawned and joined as in Wool's own programs, the larger half spawned and
 * the smaller one called. Its thieves search without a pause, which costs nobody else: they are gone after a turn.
 *
 * The tasks have names of their own, since those for Lace are linked too. */
#include <stdio.h>

#include <wool.h>

#include "kernels.h"

TASK_1(uint64_t, wool_fib, uint64_t, n)
{
    if (n < 2) return n;
    SPAWN(wool_fib, n - 1);
    uint64_t b = CALL(wool_fib, n - 2);
    uint64_t a = SYNC(wool_fib);
    return a + b;
}

TASK_3(uint64_t, wool_queens, const board_t *, parent, uint32_t, n, uint32_t, column)
{
    board_t board = place(parent, (uint8_t)column);
    if (board.rows == n) return 1;
    safe_t safe = safe_columns(&board, n);
    for (uint32_t i = 0; i < safe.count; i++) SPAWN(wool_queens, &board, n, safe.columns[i]);
    uint64_t solutions = 0;
    for (uint32_t i = 0; i < safe.count; i++) solutions += SYNC(wool_queens);
    return solutions;
}

/* An empty board has a queen on any column of its first row. */
TASK_1(uint64_t, wool_queens_root, uint32_t, n)
{
    for (uint32_t column = 0; column < n; column++) SPAWN(wool_queens, &EMPTY, n, column);
    uint64_t solutions = 0;
    for (uint32_t column = 0; column < n; column++) solutions += SYNC(wool_queens);
    return solutions;
}

TASK_3(totals_t, wool_uts, const tree_t *, tree, const node_t *, parent, uint32_t, index)
{
    node_t node;
    make_child(tree, parent, index, &node);
    totals_t totals = of_node(&node);
    for (uint32_t i = 0; i < node.children; i++) SPAWN(wool_uts, tree, &node, i);
    for (uint32_t i = 0; i < node.children; i++) totals = merge(totals, SYNC(wool_uts));
    return totals;
}

TASK_1(totals_t, wool_uts_root, const tree_t *, tree)
{
    node_t root;
    make_root(tree, &root);
    totals_t totals = of_node(&root);
    for (uint32_t i = 0; i < root.children; i++) SPAWN(wool_uts, tree, &root, i);
    for (uint32_t i = 0; i < root.children; i++) totals = merge(totals, SYNC(wool_uts));
    return totals;
}

VOID_TASK_4(wool_matmul, const float *, a, const float *, b, float *, c, product_t, sides)
{
    uint32_t m = sides.m, n = sides.n, p = sides.p;
    product_t low = sides, high = sides;
    if (m + n + p <= sides.cutoff) {
        lyocell_matmul_leaf(a, b, c, &sides);
    } else if (m >= n && n >= p) {
        low.m = m / 2, high.m = m - low.m;
        size_t rows = (size_t)low.m * sides.stride;
        SPAWN(wool_matmul, a, b, c, low);
        CALL(wool_matmul, a + rows, b, c + rows, high);
        SYNC(wool_matmul);
    } else if (n >= m && n >= p) {
        low.n = n / 2, high.n = n - low.n, high.accumulate = 1;
        CALL(wool_matmul, a, b, c, low);
        CALL(wool_matmul, a + low.n, b + (size_t)low.n * sides.stride, c, high);
    } else {
        low.p = p / 2, high.p = p - low.p;
        SPAWN(wool_matmul, a, b, c, low);
        CALL(wool_matmul, a, b + low.p, c + low.p, high);
        SYNC(wool_matmul);
    }
}

TASK_2(size_t, wool_tree, uint32_t, height, uint64_t, iterations)
{
    if (height == 0) return lyocell_stress_leaf(iterations);
    SPAWN(wool_tree, height - 1, iterations);
    size_t b = CALL(wool_tree, height - 1, iterations);
    size_t a = SYNC(wool_tree);
    return a + b;
}

TASK_3(size_t, wool_stress, uint32_t, height, uint64_t, iterations, uint64_t, trees)
{
    size_t sum = 0;
    for (uint64_t i = 0; i < trees; i++) sum += CALL(wool_tree, height, iterations);
    return sum;
}

/* Outside of a task Wool looks up who it is by itself: no worker need be passed along. */
VOID_TASK_2(wool_called, call_t, call, void *, data)
{
    call(NULL, data);
}

static void join_both(void *worker, call_t a, void *a_data, call_t b, void *b_data)
{
    (void)worker;
    SPAWN(wool_called, b, b_data);
    a(NULL, a_data);
    SYNC(wool_called);
}

static uint32_t start(unsigned workers, size_t stack_bytes)
{
    char count[16], stack[24];
    snprintf(count, sizeof count, "%u", workers);
    snprintf(stack, sizeof stack, "%zu", stack_bytes);
    char *arguments[] = {"lyocell", "-p", count, "-t", stack, NULL};
    wool_init(5, arguments);
    return 1;
}

static void run_call(call_t call, void *data) { CALL(wool_called, call, data); }
static uint64_t run_fib(uint64_t n) { return CALL(wool_fib, n); }
static uint64_t run_queens(uint32_t n) { return CALL(wool_queens_root, n); }
static void run_uts(const tree_t *tree, totals_t *totals) { *totals = CALL(wool_uts_root, tree); }

static void run_matmul(const float *a, const float *b, float *c, const product_t *sides)
{
    CALL(wool_matmul, a, b, c, *sides);
}

static size_t run_stress(uint32_t height, uint64_t iterations, uint64_t trees)
{
    return CALL(wool_stress, height, iterations, trees);
}

const lyocell_kernels lyocell_rival = {
    start, wool_fini, run_call, join_both, run_fib, run_queens, run_uts, run_matmul, run_stress,
};
