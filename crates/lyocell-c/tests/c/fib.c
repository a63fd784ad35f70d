/* fib of workloads.c by lyocell.h: `fib fib WORKERS RUNS`. */
#include "check.h"
#include "place.h"
#include <lyocell.h>

LYO_TASK_1(uint64_t, fib, uint64_t, n)
uint64_t fib_call(lyo_worker *w, uint64_t n)
{
    if (n < 2) return n;
    fib_spawn(w, n - 1);
    uint64_t b = fib_call(w, n - 2);
    uint64_t a = fib_sync(w);
    return a + b;
}

static void start(lyo_worker *w, void *result) { *(uint64_t *)result = fib_call(w, 34); }

int main(int count, char **words)
{
    CHECK(count == 4);
    lyo_options options = {.size = sizeof options, .workers = strtoul(words[2], NULL, 10)};
    lyo_pool *pool;
    CHECK(lyo_pool_new(&pool, &options) == LYO_OK);
    double times[MOST_RUNS];
    int runs = atoi(words[3]);
    for (int i = 0; i < runs; i++) {
        uint64_t result;
        double begin = milliseconds(CLOCK_MONOTONIC);
        CHECK(lyo_run(pool, start, &result) == LYO_OK && result == 5702887);
        times[i] = milliseconds(CLOCK_MONOTONIC) - begin;
    }
    printf("fib %.3f\n", median(times, runs));
    lyo_pool_free(pool);
}
