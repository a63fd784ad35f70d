/* Fibonacci numbers, a task each. */
#include <lyocell.h>
#include <stdio.h>

LYO_TASK_1(long, fib, int, n)

long fib_call(lyo_worker *w, int n)
{
    if (n < 2) return n;
    fib_spawn(w, n - 1);
    long b = fib_call(w, n - 2);
    return fib_sync(w) + b;
}

static void start(lyo_worker *w, void *result) { *(long *)result = fib_call(w, 30); }

int main(void)
{
    lyo_pool *pool;
    long result;
    if (lyo_pool_new(&pool, NULL) != LYO_OK || lyo_run(pool, start, &result) != LYO_OK) {
        fprintf(stderr, "%s\n", lyo_error());
        return 1;
    }
    lyo_pool_free(pool);
    printf("fib(30) = %ld\n", result);
    return result != 832040;
}
