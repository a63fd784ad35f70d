/* The programs with short tasks, over the join of an engine: the same algorithms as in Rust, and as in C for Lace. What
 * an engine is asked for:
 *
 *   Engine::in_task(f)      calls f in a task
 *   Engine::both(a, b)      calls both, in parallel if another worker is free
 *   Engine::each(count, f)  calls f(0), ..., f(count - 1) in the same way
 */
#pragma once

#include <alloca.h>

#include "kernels.h"

namespace programs {

template <class Engine>
uint64_t fib(uint64_t n)
{
    if (n < 2) return n;
    uint64_t a, b;
    Engine::both([&a, n] { a = fib<Engine>(n - 1); }, [&b, n] { b = fib<Engine>(n - 2); });
    return a + b;
}

template <class Engine>
uint64_t queens(const board_t &board, uint32_t n)
{
    if (board.rows == n) return 1;
    const safe_t safe = safe_columns(&board, n);
    uint64_t found[MAX_QUEENS];
    Engine::each(safe.count, [&board, &safe, &found, n](uint32_t i) {
        board_t child = place(&board, safe.columns[i]);
        found[i] = queens<Engine>(child, n);
    });
    uint64_t solutions = 0;
    for (uint32_t i = 0; i < safe.count; i++) solutions += found[i];
    return solutions;
}

template <class Engine>
totals_t uts(const tree_t &tree, const node_t &node)
{
    totals_t totals = of_node(&node);
    if (node.children == 0) return totals;
    /* By the number there are: a root has thousands, most nodes a few. */
    totals_t *found = static_cast<totals_t *>(alloca(node.children * sizeof(totals_t)));
    Engine::each(node.children, [&tree, &node, found](uint32_t i) {
        node_t child;
        make_child(&tree, &node, i, &child);
        found[i] = uts<Engine>(tree, child);
    });
    for (uint32_t i = 0; i < node.children; i++) totals = merge(totals, found[i]);
    return totals;
}

template <class Engine>
void matmul(const float *a, const float *b, float *c, const product_t &sides)
{
    const uint32_t m = sides.m, n = sides.n, p = sides.p;
    product_t low = sides, high = sides;
    if (m + n + p <= sides.cutoff) {
        lyocell_matmul_leaf(a, b, c, &sides);
    } else if (m >= n && n >= p) {
        low.m = m / 2, high.m = m - low.m;
        const size_t rows = (size_t)low.m * sides.stride;
        Engine::both([=] { matmul<Engine>(a, b, c, low); },
                     [=] { matmul<Engine>(a + rows, b, c + rows, high); });
    } else if (n >= m && n >= p) {
        low.n = n / 2, high.n = n - low.n, high.accumulate = 1;
        matmul<Engine>(a, b, c, low);
        matmul<Engine>(a + low.n, b + (size_t)low.n * sides.stride, c, high);
    } else {
        low.p = p / 2, high.p = p - low.p;
        Engine::both([=] { matmul<Engine>(a, b, c, low); },
                     [=] { matmul<Engine>(a, b + low.p, c + low.p, high); });
    }
}

template <class Engine>
size_t tree(uint32_t height, uint64_t iterations)
{
    if (height == 0) return lyocell_stress_leaf(iterations);
    size_t a, b;
    Engine::both([&a, height, iterations] { a = tree<Engine>(height - 1, iterations); },
                 [&b, height, iterations] { b = tree<Engine>(height - 1, iterations); });
    return a + b;
}

/* The table of an engine, but for how it starts and stops. */
template <class Engine>
constexpr lyocell_kernels table(uint32_t (*start)(unsigned, size_t), void (*stop)())
{
    return {
        start,
        stop,
        [](call_t call, void *data) { Engine::in_task([=] { call(nullptr, data); }); },
        [](void *, call_t a, void *a_data, call_t b, void *b_data) {
            Engine::both([=] { a(nullptr, a_data); }, [=] { b(nullptr, b_data); });
        },
        [](uint64_t n) {
            uint64_t number = 0;
            Engine::in_task([&number, n] { number = fib<Engine>(n); });
            return number;
        },
        [](uint32_t n) {
            uint64_t solutions = 0;
            Engine::in_task([&solutions, n] { solutions = queens<Engine>(EMPTY, n); });
            return solutions;
        },
        [](const tree_t *tree, totals_t *totals) {
            Engine::in_task([tree, totals] {
                node_t root;
                make_root(tree, &root);
                *totals = uts<Engine>(*tree, root);
            });
        },
        [](const float *a, const float *b, float *c, const product_t *sides) {
            Engine::in_task([=] { matmul<Engine>(a, b, c, *sides); });
        },
        [](uint32_t height, uint64_t iterations, uint64_t trees) {
            size_t sum = 0;
            Engine::in_task([&sum, height, iterations, trees] {
                for (uint64_t i = 0; i < trees; i++) sum += tree<Engine>(height, iterations);
            });
            return sum;
        },
    };
}

} // namespace programs
