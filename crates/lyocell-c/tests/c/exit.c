/* A task ends the program, with others running: its code is that of the task. */
#include "check.h"
#include <lyocell.h>

LYO_TASK_1(long, fib, int, n)
long fib_call(lyo_worker *w, int n)
{
    if (n < 2) return n;
    if (n == 20) exit(42);
    fib_spawn(w, n - 1);
    long b = fib_call(w, n - 2);
    return fib_sync(w) + b;
}

static void start(lyo_worker *w, void *unused) { (void)unused; fib_call(w, 30); }

int main(void)
{
    lyo_options options = {.size = sizeof options, .workers = 3};
    lyo_pool *pool;
    CHECK(lyo_pool_new(&pool, &options) == LYO_OK);
    lyo_run(pool, start, NULL);
    return 1;
}
