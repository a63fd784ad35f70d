/* Spawns and syncs of every shape, on pools of many sizes, with arrays that are too small, too. */
#include "check.h"
#include <lyocell.h>

static LYO_TASK_1(long, fib, int, n)
static long fib_call(lyo_worker *w, int n)
{
    if (n < 2) return n;
    fib_spawn(w, n - 1);
    long b = fib_call(w, n - 2);
    return fib_sync(w) + b;
}

typedef struct { long a[6]; } six;
LYO_TASK_1(six, doubled, six, numbers)
six doubled_call(lyo_worker *w, six numbers)
{
    (void)w;
    for (int i = 0; i < 6; i++) numbers.a[i] *= 2;
    return numbers;
}

LYO_TASK_6(double, sum6, double, a, long, b, int, c, char, d, const double *, e, float, f)
double sum6_call(lyo_worker *w, double a, long b, int c, char d, const double *e, float f)
{
    (void)w;
    return a + (double)b + c + d + *e + (double)f;
}

LYO_TASK_0(int, seven)
int seven_call(lyo_worker *w) { (void)w; return 7; }

LYO_VOID_TASK_2(fill, int *, from, int, count)
void fill_call(lyo_worker *w, int *from, int count)
{
    if (count == 1) { *from += 1; return; }
    fill_spawn(w, from, count / 2);
    fill_call(w, from + count / 2, count - count / 2);
    fill_sync(w);
}

LYO_VOID_TASK_1(count_run, int *, runs)
void count_run_call(lyo_worker *w, int *runs) { (void)w; __atomic_fetch_add(runs, 1, __ATOMIC_RELAXED); }

/* Arguments of 112 bytes, and of ten that fit. */
LYO_TASK_14(long, sum14, long, a, long, b, long, c, long, d, long, e, long, f, long, g, long, h, long, i, long, j, long, k, long, l, long, m, long, n)
long sum14_call(lyo_worker *w, long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m, long n)
{
    (void)w;
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m + 14 * n;
}
LYO_VOID_TASK_10(add10, int *, to, char, a, char, b, char, c, char, d, char, e, char, f, char, g, char, h, char, i)
void add10_call(lyo_worker *w, int *to, char a, char b, char c, char d, char e, char f, char g, char h, char i)
{
    (void)w;
    *to = a + b + c + d + e + f + g + h + i;
}

static void many_arguments(lyo_worker *w)
{
    for (int i = 0; i < 50; i++) {
        int sum;
        sum14_spawn(w, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, i);
        add10_spawn(w, &sum, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        sum14_spawn(w, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
        CHECK(i % 10 != 0 || fib_call(w, 12) == 144);
        sum14_drop(w);
        add10_sync(w);
        CHECK(sum == 45);
        CHECK(sum14_sync(w) == 91 + 14 * i);
    }
}

static void all(lyo_worker *w, void *pool)
{
    CHECK(lyo_current() == w && lyo_worker_id(w) < lyo_workers((lyo_pool *)pool));
    CHECK(lyo_workers_beside(w) == lyo_workers((lyo_pool *)pool));
    CHECK(fib_call(w, 20) == 6765);

    six numbers = {{1, 2, 3, 4, 5, 6}};
    double e = 5;
    doubled_spawn(w, numbers);
    sum6_spawn(w, 1, 2, 3, 4, &e, 6);
    seven_spawn(w);
    CHECK(fib_call(w, 15) == 610);
    CHECK(seven_sync(w) == 7);
    CHECK(sum6_sync(w) == 21);
    six twice = doubled_sync(w);
    for (int i = 0; i < 6; i++) CHECK(twice.a[i] == 2 * (i + 1));

    many_arguments(w);
    enum { COUNT = 3000 };
    static int places[COUNT];
    for (int i = 0; i < COUNT; i++) places[i] = 0;
    fill_call(w, places, COUNT);
    for (int i = 0; i < COUNT; i++) CHECK(places[i] == 1);

    /* Many tasks of one frame: their results come back in order, whatever the array has room for. */
    for (int n = 0; n < 200; n++) fib_spawn(w, n % 12);
    static const long fibs[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    for (int n = 199; n >= 0; n--) CHECK(fib_sync(w) == fibs[n % 12]);

    /* What is dropped is run at most once, and not later. */
    int runs = 0;
    for (int i = 0; i < 50; i++) {
        count_run_spawn(w, &runs);
        count_run_drop(w);
    }
    int seen = __atomic_load_n(&runs, __ATOMIC_RELAXED);
    CHECK(seen <= 50);
    CHECK(fib_call(w, 10) == 55);
    CHECK(__atomic_load_n(&runs, __ATOMIC_RELAXED) == seen);
}

int main(void)
{
    static const size_t workers[] = {1, 2, 3, 64}, capacities[] = {1, 2, 5, 100, 0};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 5; j++) {
            for (uint64_t flags = 0; flags <= 2; flags++) {
                lyo_options options = {.size = sizeof options, .workers = workers[i], .deque_capacity = capacities[j], .flags = flags};
                lyo_pool *pool;
                CHECK(lyo_pool_new(&pool, &options) == LYO_OK);
                for (int k = 0; k < (workers[i] == 64 ? 1 : 5); k++) CHECK(lyo_run(pool, all, pool) == LYO_OK);
                lyo_pool_free(pool);
            }
        }
    }
    CHECK(lyo_current() == NULL);
}
