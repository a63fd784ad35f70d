/* fib of workloads.c on Wool: `wool fib 1 RUNS`. */
#include "check.h"
#include "place.h"
#include <wool.h>

TASK_1(uint64_t, fib, uint64_t, n)
{
    if (n < 2) return n;
    SPAWN(fib, n - 1);
    uint64_t b = CALL(fib, n - 2);
    uint64_t a = SYNC(fib);
    return a + b;
}

int main(int count, char **words)
{
    CHECK(count == 4);
    char *workers[] = {words[0], (char *)"-p", words[2], NULL};
    wool_init(3, workers);
    double times[MOST_RUNS];
    int runs = atoi(words[3]);
    for (int i = 0; i < runs; i++) {
        double begin = milliseconds(CLOCK_MONOTONIC);
        CHECK(CALL(fib, 34) == 5702887);
        times[i] = milliseconds(CLOCK_MONOTONIC) - begin;
    }
    printf("fib %.3f\n", median(times, runs));
    wool_fini();
}
