/* lace.h by the interface of 1.3 to 1.6: what Sylvan and its like rely on. */
#include "check.h"
#include <lace.h>

TASK_DECL_1(int, fib, int);
TASK_IMPL_1(int, fib, int, n)
{
    if (n < 2) return n;
    SPAWN(fib, n - 1);
    int b = CALL(fib, n - 2);
    YIELD_NEWFRAME();
    return SYNC(fib) + b;
}

LACE_TYPEDEF_CB(int, callback, int);
TASK_2(int, apply, callback, f, int, n) { return WRAP(f, n); }

static int together;
VOID_TASK_0(count) { __atomic_fetch_add(&together, 1, __ATOMIC_RELAXED); CHECK(CALL(fib, 7) == 13); }

/* What a collection looks at: the tasks that have been spawned, oldest first, up to the first that is not stolen. */
static Task *spawned[3];
static uintptr_t function;
static int looks, finished;
VOID_TASK_0(look)
{
    for (int i = 0; i < 3; i++) {
        Task *t = spawned[i];
        if (!TASK_IS_STOLEN(t)) return;
        looks++;
        if ((uintptr_t)t->f == function && TASK_IS_COMPLETED(t)) {
            finished++;
            CHECK(*(int *)TASK_RESULT(t) == 610);
        }
    }
}

VOID_TASK_0(collect)
{
    for (int i = 0; i < 3; i++) spawned[i] = SPAWN(fib, 15);
    function = (uintptr_t)spawned[0]->f;
    int own = CALL(fib, 18);
    NEWFRAME(look);
    CHECK(own == 2584);
    for (int i = 0; i < 3; i++) CHECK(SYNC(fib) == 610);
}

VOID_TASK_DECL_1(again, int);
VOID_TASK_1(nested, int, depth)
{
    if (depth == 0) return;
    SPAWN(nested, depth - 1);
    TOGETHER(count);
    CALL(again, depth - 1);
    SYNC(nested);
}

VOID_TASK_IMPL_1(again, int, depth)
{
    if (depth == 0) return;
    SPAWN(again, depth - 1);
    SPAWN(again, depth - 1);
    NEWFRAME(nested, depth - 1);
    SYNC(again);
    SYNC(again);
}
VOID_TASK_1(dropped, int *, runs) { __atomic_fetch_add(runs, 1, __ATOMIC_RELAXED); }

TASK_8(long, eight, long, a, long, b, long, c, long, d, long, e, long, f, long, g, long, h) { return a + b + c + d + e + f + g + h; }

VOID_TASK_0(rest)
{
    int runs = 0;
    SPAWN(eight, 1, 2, 3, 4, 5, 6, 7, 8);
    SPAWN(eight, 1, 1, 1, 1, 1, 1, 1, 1);
    DROP();
    CHECK(CALL(fib, 10) == 55 && SYNC(eight) == 36);
    SPAWN(dropped, &runs);
    DROP();
    CHECK(runs <= 1);
    CHECK(LACE_WORKER_ID < (int)lace_workers());
    for (int i = 0; i < 100; i++) CHECK((unsigned)LACE_TRNG != 0);
    WorkerP *own = __lace_worker;
    {
        LACE_ME;
        CHECK(__lace_worker == own && own == lace_get_worker());
    }
    STEAL_RANDOM();
    lace_yield(__lace_worker, __lace_dq_head);
    CHECK(RUN(fib, 10) == 55);
}

static void whole(unsigned workers, size_t capacity)
{
    lace_set_verbosity(0);
    lace_set_stacksize(1 << 22);
    lace_start(workers, capacity);
    CHECK(RUN(fib, 20) == 6765 && RUNEX(fib, 12) == 144);
    CHECK(RUN(apply, TASK(fib), 9) == 34);
    together = 0;
    TOGETHER(count);
    CHECK(together == (int)lace_workers());
    lace_suspend();
    lace_resume();
    for (int i = 0; i < 20; i++) RUN(collect);
    RUN(again, 4);
    RUN(rest);
    lace_stop();
}

int main(void)
{
    for (unsigned workers = 1; workers <= 4; workers++) {
        whole(workers, 0);
        whole(workers, 4);
    }
    printf("looked at %d stolen tasks, %d of them finished\n", looks, finished);
}
