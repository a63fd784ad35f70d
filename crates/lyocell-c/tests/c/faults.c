/* What goes wrong in a program, one fault a process: `faults NAME`. */
#include "check.h"
#include <lace.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

TASK(int, fib, int, n)
int fib_CALL(lace_worker *w, int n)
{
    if (n < 2) return n;
    fib_SPAWN(w, n - 1);
    int b = fib_CALL(w, n - 2);
    return fib_SYNC(w) + b;
}

TASK(void, ends, int, depth)
void ends_CALL(lace_worker *w, int depth)
{
    if (depth == 0) exit(42);
    ends_SPAWN(w, depth - 1);
    CHECK(fib_CALL(w, 15) == 610);
    ends_SYNC(w);
}

static int reached, released;

TASK(void, lasts)
void lasts_CALL(lace_worker *w)
{
    __atomic_store_n(&reached, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&released, __ATOMIC_ACQUIRE)) usleep(100);
    /* Others still take tasks while the workers are being stopped. */
    CHECK(fib_CALL(w, 20) == 6765);
    __atomic_store_n(&released, 2, __ATOMIC_RELEASE);
}

static void *run_lasts(void *unused)
{
    lasts();
    return unused;
}

static void *stop(void *unused)
{
    lace_stop();
    CHECK(__atomic_load_n(&released, __ATOMIC_ACQUIRE) == 2);
    return unused;
}

static void stopped_while_running(void)
{
    for (unsigned workers = 1; workers <= 3; workers++) {
        pthread_t runner, stopper;
        reached = released = 0;
        lace_start(workers, 0, 0);
        CHECK(pthread_create(&runner, NULL, run_lasts, NULL) == 0);
        while (!__atomic_load_n(&reached, __ATOMIC_ACQUIRE)) usleep(100);
        CHECK(pthread_create(&stopper, NULL, stop, NULL) == 0);
        usleep(1000);
        __atomic_store_n(&released, 1, __ATOMIC_RELEASE);
        pthread_join(runner, NULL);
        pthread_join(stopper, NULL);
    }
}

TASK(void, stops)
void stops_CALL(lace_worker *w)
{
    fib_SPAWN(w, 12);
    lace_stop();
    CHECK(fib_CALL(w, 18) == 2584 && fib_SYNC(w) == 144);
}

static void stopped_from_within(void)
{
    for (unsigned workers = 1; workers <= 3; workers++) {
        lace_start(workers, 0, 0);
        stops();
        CHECK(!lace_is_running());
    }
}

static int met;
TASK(void, meet)
void meet_CALL(lace_worker *w)
{
    __atomic_fetch_add(&met, 1, __ATOMIC_RELAXED);
    CHECK(fib_CALL(w, 10) == 55);
}

/* More workers than processors, with room for one task each. */
static void many_workers(void)
{
    lace_start(64, 1, 0);
    CHECK(lace_worker_count() == 64);
    for (int i = 0; i < 3; i++) {
        met = 0;
        meet_TOGETHER();
        CHECK(met == 64 && fib(18) == 2584 && fib_NEWFRAME(12) == 144);
    }
    lace_stop();
}

typedef struct { lyo_pool *other; int depth; } inner;

static void run_in_the_other(lyo_worker *w, void *data)
{
    inner *it = (inner *)data;
    lyo_worker *before = lyo_current();
    CHECK(before == w);
    fib_SPAWN(w, 12);
    if (it->depth > 0) {
        inner next = {it->other, it->depth - 1};
        CHECK(lyo_run(it->other, run_in_the_other, &next) == LYO_OK);
    }
    CHECK(lyo_current() == before && fib_CALL(w, 14) == 377 && fib_SYNC(w) == 144);
}

/* A run in a run: of another pool, and of that one again. */
static void runs_within(void)
{
    for (size_t workers = 1; workers <= 3; workers++) {
        lyo_options options = {.size = sizeof options, .workers = workers};
        lyo_pool *a, *b;
        CHECK(lyo_pool_new(&a, &options) == LYO_OK && lyo_pool_new(&b, &options) == LYO_OK);
        for (int i = 0; i < 100; i++) {
            inner it = {b, 2};
            CHECK(lyo_run(a, run_in_the_other, &it) == LYO_OK);
        }
        lyo_pool_free(a);
        lyo_pool_free(b);
    }
}

int main(int count, char **words)
{
    CHECK(count == 2);
    if (strcmp(words[1], "exit") == 0) {
        lace_start(3, 0, 0);
        ends(200);
        return 1;
    }
    if (strcmp(words[1], "started-twice") == 0) {
        lace_start(1, 0, 0);
        lace_start(1, 0, 0);
        return 1;
    }
    if (strcmp(words[1], "not-started") == 0) return fib(3);
    stopped_while_running();
    stopped_from_within();
    many_workers();
    runs_within();
    return 0;
}
