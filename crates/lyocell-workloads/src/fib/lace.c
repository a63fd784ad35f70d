/* Fibonacci in pure C: no Rust function is called, so that Lace shows its best. As in Lace's own
 * program, the larger half is spawned and the smaller one called: the other way round is some 10 %
 * slower with gcc. */
#include "../lace/program.h"

TASK(uint64_t, fib, uint64_t, n)

uint64_t fib_CALL(lace_worker *worker, uint64_t n)
{
    if (n < 2) return n;
    fib_SPAWN(worker, n - 1);
    uint64_t b = fib_CALL(worker, n - 2);
    uint64_t a = fib_SYNC(worker);
    return a + b;
}

static uint64_t fib_serially(uint64_t n)
{
    if (n < 2) return n;
    return fib_serially(n - 1) + fib_serially(n - 2);
}

TASK(uint64_t, fib_down_to, uint64_t, n, uint64_t, cutoff)

uint64_t fib_down_to_CALL(lace_worker *worker, uint64_t n, uint64_t cutoff)
{
    if (n <= cutoff) return fib_serially(n);
    fib_down_to_SPAWN(worker, n - 1, cutoff);
    uint64_t b = fib_down_to_CALL(worker, n - 2, cutoff);
    uint64_t a = fib_down_to_SYNC(worker);
    return a + b;
}

uint64_t lyocell_lace_fib_down_to(uint64_t n, uint64_t cutoff)
{
    return fib_down_to(n, cutoff);
}

uint64_t lyocell_lace_fib(uint64_t n)
{
    return fib(n);
}
