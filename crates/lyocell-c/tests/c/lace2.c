/* lace.h by the interface of 2.3. */
#include "check.h"
#include <lace.h>

TASK(int, fib, int, n)
int fib_CALL(lace_worker *w, int n)
{
    if (n < 2) return n;
    fib_SPAWN(w, n - 1);
    int b = fib_CALL(w, n - 2);
    lace_check_yield(w);
    lace_yield(w);
    return fib_SYNC(w) + b;
}

TASK(void, nothing)
void nothing_CALL(lace_worker *w) { CHECK(w == lace_get_worker() && lace_is_worker()); }

TASK(const char *, later, const char *, text, size_t, by)
const char *later_CALL(lace_worker *w, const char *text, size_t by) { (void)w; return text + by; }

TASK(void *, itself, void *, p)
void *itself_CALL(lace_worker *w, void *p)
{
    itself_SPAWN(w, p);
    itself_DROP(w);
    itself_SPAWN(w, p);
    lace_drop(w);
    lace_steal_random(w);
    later_SPAWN(w, "abc", 1);
    CHECK(*later_SYNC(w) == 'b');
    return p;
}

TASK(long, nine, long, a, int, b, int, c, int, d, int, e, int, f, int, g, int, h, int *, i)
long nine_CALL(lace_worker *w, long a, int b, int c, int d, int e, int f, int g, int h, int *i)
{
    (void)w;
    return a + b + c + d + e + f + g + h + *i;
}

static int met;
TASK(void, meet)
void meet_CALL(lace_worker *w)
{
    __atomic_fetch_add(&met, 1, __ATOMIC_RELAXED);
    lace_barrier();
    CHECK(__atomic_load_n(&met, __ATOMIC_RELAXED) % (int)lace_worker_count() == 0);
    lace_barrier();
    CHECK(fib_CALL(w, 8) == 21);
}

static void whole(unsigned workers)
{
    CHECK(!lace_is_running() && !lace_is_worker() && lace_worker_id() == -1);
    lace_start(workers, 0, 0);
    CHECK(lace_is_running() && lace_worker_count() >= 1 && (workers == 0 || lace_worker_count() == workers));
    CHECK(fib(20) == 6765);
    nothing();
    int here;
    CHECK(itself(&here) == &here);
    here = 9;
    CHECK(nine(1, 2, 3, 4, 5, 6, 7, 8, &here) == 45 && nine_NEWFRAME(1, 2, 3, 4, 5, 6, 7, 8, &here) == 45);
    met = 0;
    for (int i = 0; i < 5; i++) meet_TOGETHER();
    CHECK(met == 5 * (int)lace_worker_count());
    CHECK(fib_NEWFRAME(15) == 610);
    lace_stop();
}

int main(void)
{
    for (unsigned workers = 0; workers <= 4; workers++) whole(workers);
}
