/* Pools: options, errors, callers, and how they end. */
#include "check.h"
#include <lyocell.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static LYO_TASK_1(long, fib, int, n)
static long fib_call(lyo_worker *w, int n)
{
    if (n < 2) return n;
    fib_spawn(w, n - 1);
    long b = fib_call(w, n - 2);
    return fib_sync(w) + b;
}

static void fib18(lyo_worker *w, void *result) { *(long *)result = fib_call(w, 18); }

static void errors(void)
{
    lyo_pool *pool = NULL;
    lyo_options options = {.size = 3};
    CHECK(lyo_pool_new(&pool, &options) == LYO_ERROR_ARGUMENT && strstr(lyo_error(), "size 3"));
    options.size = sizeof options;
    options.workers = 5000;
    CHECK(lyo_pool_new(&pool, &options) == LYO_ERROR_ARGUMENT && strstr(lyo_error(), "5000"));
    options.workers = 1;
    options.flags = 64;
    CHECK(lyo_pool_new(&pool, &options) == LYO_ERROR_ARGUMENT && strstr(lyo_error(), "0x40"));
    options.flags = 0;
    options.deque_capacity = (size_t)1 << 62;
    CHECK(lyo_pool_new(&pool, &options) == LYO_ERROR_ARGUMENT && strstr(lyo_error(), "capacity"));
    CHECK(lyo_pool_new(NULL, NULL) == LYO_ERROR_ARGUMENT && strstr(lyo_error(), "null"));
    lyo_layout_t other = LYO_LAYOUT, mine = lyo_layout();
    CHECK(memcmp(&other, &mine, sizeof mine) == 0);
    other.payload += 8;
    CHECK(lyo_pool_new_for(&pool, NULL, &other) == LYO_ERROR_LAYOUT && strstr(lyo_error(), "another version"));
    CHECK(pool == NULL);
    CHECK(lyo_run(NULL, fib18, NULL) == LYO_ERROR_ARGUMENT);
    CHECK(lyo_pool_new(&pool, NULL) == LYO_OK);
    CHECK(lyo_workers(pool) >= 1 && lyo_exposing(pool) <= 1);
    CHECK(lyo_run(pool, NULL, NULL) == LYO_ERROR_ARGUMENT && strstr(lyo_error(), "task"));
    lyo_pool_free(pool);
    lyo_pool_free(NULL);
}

static void run_again(lyo_worker *w, void *pool)
{
    long result = 0;
    fib_spawn(w, 12);
    CHECK(lyo_run((lyo_pool *)pool, fib18, &result) == LYO_OK && result == 2584);
    CHECK(fib_sync(w) == 144);
}

static void *call_often(void *pool)
{
    for (int i = 0; i < 200; i++) {
        long result = 0;
        CHECK(lyo_run((lyo_pool *)pool, fib18, &result) == LYO_OK && result == 2584);
        CHECK(lyo_run((lyo_pool *)pool, run_again, pool) == LYO_OK);
    }
    return NULL;
}

static void callers(size_t workers, uint64_t flags)
{
    lyo_options options = {.size = sizeof options, .workers = workers, .flags = flags};
    lyo_pool *pool;
    CHECK(lyo_pool_new(&pool, &options) == LYO_OK);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, call_often, pool) == 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    lyo_pool_free(pool);
}

static int reached, released;

static void wait_until_released(lyo_worker *w, void *unused)
{
    (void)unused;
    __atomic_store_n(&reached, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&released, __ATOMIC_ACQUIRE)) usleep(100);
    CHECK(fib_call(w, 10) == 55);
    __atomic_store_n(&released, 2, __ATOMIC_RELEASE);
}

static void *run_until_released(void *pool)
{
    CHECK(lyo_run((lyo_pool *)pool, wait_until_released, NULL) == LYO_OK);
    return NULL;
}

static void *free_it(void *pool)
{
    lyo_pool_free((lyo_pool *)pool);
    CHECK(__atomic_load_n(&released, __ATOMIC_ACQUIRE) == 2);
    return NULL;
}

/* Who frees a pool waits for the calls of others. */
static void freed_while_running(void)
{
    lyo_pool *pool;
    CHECK(lyo_pool_new(&pool, NULL) == LYO_OK);
    pthread_t caller, freer;
    CHECK(pthread_create(&caller, NULL, run_until_released, pool) == 0);
    while (!__atomic_load_n(&reached, __ATOMIC_ACQUIRE)) usleep(100);
    CHECK(pthread_create(&freer, NULL, free_it, pool) == 0);
    __atomic_store_n(&released, 1, __ATOMIC_RELEASE);
    pthread_join(caller, NULL);
    pthread_join(freer, NULL);
}

static void free_from_within(lyo_worker *w, void *pool)
{
    lyo_pool_free((lyo_pool *)pool);
    CHECK(fib_call(w, 12) == 144);
}

int main(void)
{
    errors();
    for (size_t workers = 1; workers <= 3; workers++) {
        callers(workers, 0);
        callers(workers, LYO_CALLERS_SLEEP);
    }
    freed_while_running();
    lyo_pool *pool;
    CHECK(lyo_pool_new(&pool, NULL) == LYO_OK);
    CHECK(lyo_run(pool, free_from_within, pool) == LYO_OK);
}
