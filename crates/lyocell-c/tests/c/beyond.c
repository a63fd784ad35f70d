/* Loops, scopes, detached tasks and frames. */
#include "check.h"
#include <lyocell.h>
#include <string.h>

enum { COUNT = 10000 };
static int places[COUNT];

static void visit(lyo_worker *w, size_t i, void *argument)
{
    CHECK(lyo_current() == w && argument == places);
    places[i]++;
}

static void visit_part(lyo_worker *w, size_t from, size_t to, void *most)
{
    CHECK(lyo_current() == w && from < to);
    CHECK(*(size_t *)most == 0 || to - from <= *(size_t *)most);
    for (; from < to; from++) places[from]++;
}

static void all_visited(int times)
{
    for (int i = 0; i < COUNT; i++) CHECK(places[i] == times);
}

static void loops(lyo_worker *w, void *unused)
{
    (void)unused;
    memset(places, 0, sizeof places);
    lyo_for(w, 0, COUNT, visit, places);
    all_visited(1);
    size_t grain = 0;
    lyo_for_parts(w, 0, COUNT, grain, visit_part, &grain);
    all_visited(2);
    grain = 7;
    lyo_for_parts(w, 0, COUNT, grain, visit_part, &grain);
    all_visited(3);
    lyo_for(w, 5, 5, visit, places);
    lyo_for_parts(w, 5, 3, 1, visit_part, &grain);
    all_visited(3);
}

static int runs;

static void once(lyo_worker *w, void *unused)
{
    (void)w;
    (void)unused;
    __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
}

static void grow(lyo_worker *w, lyo_scope *scope, void *depth)
{
    __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
    CHECK(lyo_current() == w);
    if ((intptr_t)depth == 0) return;
    lyo_scope_spawn(scope, grow, (void *)((intptr_t)depth - 1));
    lyo_scope_spawn(scope, grow, (void *)((intptr_t)depth - 1));
}

static void scopes(lyo_worker *w, void *unused)
{
    (void)unused;
    runs = 0;
    lyo_scope_run(w, grow, (void *)9);
    CHECK(runs == 1023);
}

static LYO_TASK_1(long, fib, int, n)
static long fib_call(lyo_worker *w, int n)
{
    if (n < 2) return n;
    fib_spawn(w, n - 1);
    long b = fib_call(w, n - 2);
    return fib_sync(w) + b;
}

static unsigned char met[64];

static void meet(lyo_worker *w, void *unused)
{
    (void)unused;
    met[lyo_worker_id(w)]++;
    CHECK(fib_call(w, 8) == 21);
}

static void alone(lyo_worker *w, void *result) { *(long *)result = fib_call(w, 16); }

static void frames(lyo_worker *w, void *unused)
{
    (void)unused;
    for (int i = 0; i < 20; i++) {
        memset(met, 0, sizeof met);
        fib_spawn(w, 10);
        fib_spawn(w, 11);
        CHECK(lyo_together(w, meet, NULL) == LYO_OK);
        for (size_t j = 0; j < lyo_workers_beside(w); j++) CHECK(met[j] == 1);
        long result = 0;
        CHECK(lyo_newframe(w, alone, &result) == LYO_OK && result == 987);
        lyo_yield_frame(w);
        CHECK(fib_sync(w) == 89 && fib_sync(w) == 55);
    }
}

static void no_frames(lyo_worker *w, void *unused)
{
    (void)unused;
    CHECK(lyo_together(w, meet, NULL) == LYO_ERROR_SEAT && strstr(lyo_error(), "LYO_CALLERS_SLEEP"));
}

static void wait_for(lyo_worker *w, void *handle)
{
    (void)w;
    lyo_handle_wait((lyo_handle *)handle);
    CHECK(runs == 1);
}

static void detached(lyo_pool *pool)
{
    lyo_handle *handle;
    runs = 0;
    CHECK(lyo_spawn_handle(pool, &handle, once, NULL) == LYO_OK);
    lyo_handle_wait(handle);
    CHECK(runs == 1);
    runs = 0;
    CHECK(lyo_spawn_handle(pool, &handle, once, NULL) == LYO_OK);
    CHECK(lyo_run(pool, wait_for, handle) == LYO_OK);
    CHECK(lyo_spawn_handle(pool, &handle, once, NULL) == LYO_OK);
    CHECK(lyo_handle_is_over(handle) <= 1);
    lyo_handle_free(handle);
    lyo_handle_free(NULL);
    CHECK(lyo_spawn_handle(pool, NULL, once, NULL) == LYO_ERROR_ARGUMENT);
    for (int i = 0; i < 100; i++) CHECK(lyo_spawn_detached(pool, once, NULL) == LYO_OK);
}

int main(void)
{
    for (size_t workers = 1; workers <= 4; workers++) {
        for (uint64_t flags = 0; flags <= LYO_CALLERS_SLEEP; flags++) {
            lyo_options options = {.size = sizeof options, .workers = workers, .flags = flags};
            lyo_pool *pool;
            CHECK(lyo_pool_new(&pool, &options) == LYO_OK);
            CHECK(lyo_run(pool, loops, NULL) == LYO_OK);
            CHECK(lyo_run(pool, scopes, NULL) == LYO_OK);
            CHECK(lyo_run(pool, flags || workers == 1 ? frames : no_frames, NULL) == LYO_OK);
            detached(pool);
            lyo_pool_free(pool);
            /* Detached tasks are over before a pool is freed: one of the second handle, one of the third, and these. */
            CHECK(runs == 102);
        }
    }
}
