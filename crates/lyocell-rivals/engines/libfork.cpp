/* libfork, whose tasks are coroutines: each program of programs.hpp written anew.
 *
 * Its best fair form: as in libfork's own benchmarks, all but the last of a task's children forked and that one called, then
 * one join; results in the coroutine's frame where their number has a small bound, else on the worker's own stack (co_new).
 * Short runs of gcc 12, on a machine that did other things too: with -O3 uts took up to an eighth longer, and fib, queens and
 * matmul as long; a busy_pool took as long as a lazy_pool, which libfork's documentation prefers; so did queens whose board is
 * made by their own task; without exceptions fib and queens took as long.
 *
 * It has no join of two callbacks. To wait, a task is suspended, and a callback in the middle of a coroutine cannot be: its
 * worker would have to steal while it waits, above a stack of coroutines that libfork takes for empty when it steals. */
#include <optional>

#include <libfork.hpp>

#include "kernels.h"

namespace {

using pool_t = lf::lazy_pool;

std::optional<pool_t> pool;

constexpr auto fib = [](auto fib, uint64_t n) LF_STATIC_CALL -> lf::task<uint64_t> {
    if (n < 2) co_return n;
    uint64_t a, b;
    co_await lf::fork(&a, fib)(n - 1);
    co_await lf::call(&b, fib)(n - 2);
    co_await lf::join;
    co_return a + b;
};

constexpr auto queens = [](auto queens, board_t board, uint32_t n) LF_STATIC_CALL -> lf::task<uint64_t> {
    if (board.rows == n) co_return 1;
    const safe_t safe = safe_columns(&board, n);
    uint64_t found[MAX_QUEENS];
    for (uint32_t i = 0; i < safe.count; i++) {
        const board_t child = place(&board, safe.columns[i]);
        if (i + 1 < safe.count) {
            co_await lf::fork(&found[i], queens)(child, n);
        } else {
            co_await lf::call(&found[i], queens)(child, n);
        }
    }
    co_await lf::join;
    uint64_t solutions = 0;
    for (uint32_t i = 0; i < safe.count; i++) solutions += found[i];
    co_return solutions;
};

/* The tree below a child of `parent`; below the root, which has none. */
constexpr auto uts = [](auto uts, const tree_t *tree, const node_t *parent,
                        uint32_t index) LF_STATIC_CALL -> lf::task<totals_t> {
    node_t node;
    if (parent) {
        make_child(tree, parent, index, &node);
    } else {
        make_root(tree, &node);
    }
    totals_t totals = of_node(&node);
    if (node.children == 0) co_return totals;
    auto [found] = co_await lf::co_new<totals_t>(node.children);
    for (uint32_t i = 0; i < node.children; i++) {
        if (i + 1 < node.children) {
            co_await lf::fork(&found[i], uts)(tree, &node, i);
        } else {
            co_await lf::call(&found[i], uts)(tree, &node, i);
        }
    }
    co_await lf::join;
    for (uint32_t i = 0; i < node.children; i++) totals = merge(totals, found[i]);
    co_return totals;
};

constexpr auto matmul = [](auto matmul, const float *a, const float *b, float *c,
                           product_t sides) LF_STATIC_CALL -> lf::task<void> {
    const uint32_t m = sides.m, n = sides.n, p = sides.p;
    product_t low = sides, high = sides;
    if (m + n + p <= sides.cutoff) {
        lyocell_matmul_leaf(a, b, c, &sides);
    } else if (m >= n && n >= p) {
        low.m = m / 2, high.m = m - low.m;
        const size_t rows = (size_t)low.m * sides.stride;
        co_await lf::fork(matmul)(a, b, c, low);
        co_await lf::call(matmul)(a + rows, b, c + rows, high);
        co_await lf::join;
    } else if (n >= m && n >= p) {
        low.n = n / 2, high.n = n - low.n, high.accumulate = 1;
        co_await lf::call(matmul)(a, b, c, low);
        co_await lf::call(matmul)(a + low.n, b + (size_t)low.n * sides.stride, c, high);
    } else {
        low.p = p / 2, high.p = p - low.p;
        co_await lf::fork(matmul)(a, b, c, low);
        co_await lf::call(matmul)(a, b + low.p, c + low.p, high);
        co_await lf::join;
    }
};

constexpr auto tree = [](auto tree, uint32_t height, uint64_t iterations) LF_STATIC_CALL -> lf::task<size_t> {
    if (height == 0) co_return lyocell_stress_leaf(iterations);
    size_t a, b;
    co_await lf::fork(&a, tree)(height - 1, iterations);
    co_await lf::call(&b, tree)(height - 1, iterations);
    co_await lf::join;
    co_return a + b;
};

constexpr auto stress = [](auto, uint32_t height, uint64_t iterations,
                           uint64_t trees) LF_STATIC_CALL -> lf::task<size_t> {
    size_t sum = 0;
    for (uint64_t i = 0; i < trees; i++) {
        size_t one;
        co_await lf::call(&one, tree)(height, iterations);
        sum += one;
    }
    co_return sum;
};

/* A task needs little of its thread's stack, but for long leaves: frames are on stacks of libfork's own, which grow. */
uint32_t start(unsigned workers, size_t)
{
    pool.emplace(workers);
    return 1;
}

void stop() { pool.reset(); }

uint64_t run_fib(uint64_t n) { return lf::sync_wait(*pool, fib, n); }
uint64_t run_queens(uint32_t n) { return lf::sync_wait(*pool, queens, EMPTY, n); }

void run_uts(const tree_t *tree, totals_t *totals)
{
    *totals = lf::sync_wait(*pool, uts, tree, nullptr, 0u);
}

void run_matmul(const float *a, const float *b, float *c, const product_t *sides)
{
    lf::sync_wait(*pool, matmul, a, b, c, *sides);
}

size_t run_stress(uint32_t height, uint64_t iterations, uint64_t trees)
{
    return lf::sync_wait(*pool, stress, height, iterations, trees);
}

} // namespace

extern "C" const lyocell_kernels lyocell_rival = {
    start, stop, nullptr, nullptr, run_fib, run_queens, run_uts, run_matmul, run_stress,
};
