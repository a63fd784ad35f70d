/* The programs for Lace of lyocell-workloads, each `lace.c` as it is, against whichever <lace.h> this is compiled with. Each answer is
 * compared with that of the program's `serial.c`.
 *
 *   workloads check                    all of them, small, on 1 to 4 workers
 *   workloads PROGRAM WORKERS RUNS     the median of their times, in milliseconds; `all`: a line for each program
 *   workloads idle WORKERS             the processor time of a second in which nothing is run, in milliseconds */
#include "../../../lyocell-workloads/src/integrate/interval.h"
#include "../../../lyocell-workloads/src/knapsack/choice.h"
#include "../../../lyocell-workloads/src/matmul/product.h"
#include "check.h"
#include "place.h"
#include <lace.h>
#include <string.h>
#include <unistd.h>

#define node_t tree_node_t
#include "../../../lyocell-workloads/src/tree_sum/node.h"
#undef node_t
#include "../../../lyocell-workloads/src/uts/node.h"

enum { DEQUE_SLOTS = 1 << 20, STACK_BYTES = 64 << 20 };

static uint64_t fibonacci(uint64_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

/* ---- The programs ---- */

uint64_t lyocell_lace_fib(uint64_t n), lyocell_serial_fib(uint64_t n);
uint64_t lyocell_lace_fib_down_to(uint64_t n, uint64_t cutoff);
double lyocell_lace_integrate(const interval_t *whole, double tolerance);
double lyocell_serial_integrate(const interval_t *whole, double tolerance);
uint32_t lyocell_lace_knapsack(const choice_t *choice, int32_t capacity);
uint32_t lyocell_serial_knapsack(const choice_t *choice, int32_t capacity);
void lyocell_lace_matmul(const float *a, const float *b, float *c, const product_t *shape);
uint64_t lyocell_lace_queens(uint32_t n), lyocell_serial_queens(uint32_t n);
uint64_t lyocell_lace_skynet(uint64_t first, uint64_t count), lyocell_serial_skynet(uint64_t first, uint64_t count);
size_t lyocell_lace_stress(uint32_t height, uint64_t iterations, uint64_t trees);
uint64_t lyocell_lace_tree_sum(const tree_node_t *root, uint64_t sums);
uint64_t lyocell_serial_tree_sum(const tree_node_t *root, uint64_t sums);
void lyocell_lace_uts(const tree_t *tree, totals_t *totals), lyocell_serial_uts(const tree_t *tree, totals_t *totals);
typedef void (*call_t)(lace_worker *worker, void *data);
void lyocell_lace_join(lace_worker *worker, call_t a, void *a_data, call_t b, void *b_data);
void lyocell_lace_run(call_t call, void *data);

/* Each returns its answer. */
typedef enum { SMALL, LARGE } size;
typedef enum { SERIAL, TASKS } how;

static uint64_t fib(size size, how how)
{
    uint64_t n = size == SMALL ? 15 : 34;
    return how == SERIAL ? lyocell_serial_fib(n) : lyocell_lace_fib(n);
}

static uint64_t fib_down_to(size size, how how)
{
    uint64_t n = size == SMALL ? 15 : 36, cutoff = size == SMALL ? 4 : 12;
    return how == SERIAL ? lyocell_serial_fib(n) : lyocell_lace_fib_down_to(n, cutoff);
}

typedef struct { int n; uint64_t result; } number;

static void join_fib(lace_worker *worker, void *data)
{
    number *it = (number *)data, a = {it->n - 1, 0}, b = {it->n - 2, 0};
    if (it->n < 2) {
        it->result = (uint64_t)it->n;
        return;
    }
    lyocell_lace_join(worker, join_fib, &a, join_fib, &b);
    it->result = a.result + b.result;
}

static uint64_t fork_join(size size, how how)
{
    number it = {size == SMALL ? 15 : 31, 0};
    if (how == SERIAL) return fibonacci((uint64_t)it.n);
    lyocell_lace_run(join_fib, &it);
    return it.result;
}

static uint64_t integrate(size size, how how)
{
    double to = size == SMALL ? 10.0 : 2000.0, tolerance = size == SMALL ? 1e-2 : 1e-6;
    interval_t whole = {0.0, to, curve(0.0), curve(to), trapezoid(0.0, to, curve(0.0), curve(to))};
    double area = how == SERIAL ? lyocell_serial_integrate(&whole, tolerance) : lyocell_lace_integrate(&whole, tolerance);
    uint64_t bits;
    memcpy(&bits, &area, sizeof bits);
    return bits;
}

static uint64_t knapsack(size size, how how)
{
    /* All are worth the same for their weight, so the bound cuts off nothing, and one worker looks at as many choices as many do. */
    item_t items[40];
    uint32_t random = 1, weight = 0;
    const uint32_t count = size == SMALL ? 10 : 22;
    for (uint32_t i = 0; i < count; i++) {
        random = random * 1664525 + 1013904223;
        items[i].value = items[i].weight = 20 + (random >> 24) % 40;
        weight += items[i].weight;
    }
    _Atomic(uint32_t) best = 0;
    choice_t choice = {items, count, &best};
    int32_t capacity = (int32_t)(weight / 2);
    return how == SERIAL ? lyocell_serial_knapsack(&choice, capacity) : lyocell_lace_knapsack(&choice, capacity);
}

void lyocell_matmul_leaf(const float *a, const float *b, float *c, const product_t *shape);
void lyocell_matmul_leaf(const float *a, const float *b, float *c, const product_t *shape)
{
    for (uint32_t i = 0; i < shape->m; i++) {
        float *row = c + i * shape->stride;
        if (!shape->accumulate) memset(row, 0, shape->p * sizeof *row);
        for (uint32_t k = 0; k < shape->n; k++) {
            float factor = a[i * shape->stride + k];
            for (uint32_t j = 0; j < shape->p; j++) row[j] += factor * b[k * shape->stride + j];
        }
    }
}

/* Of whole numbers, whose products are exact in whichever order they are added. */
static uint64_t matmul(size size, how how)
{
    enum { MOST = 256 };
    static float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];
    uint32_t n = size == SMALL ? 48 : MOST;
    for (uint32_t i = 0; i < n * n; i++) a[i] = (float)(i % 7), b[i] = (float)(i % 5);
    product_t shape = {n, n, n, n, 0, 48};
    if (how == SERIAL) lyocell_matmul_leaf(a, b, c, &shape);
    else lyocell_lace_matmul(a, b, c, &shape);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n * n; i++) sum = sum * 31 + (uint64_t)c[i];
    return sum;
}

static uint64_t queens(size size, how how)
{
    uint32_t n = size == SMALL ? 6 : 11;
    return how == SERIAL ? lyocell_serial_queens(n) : lyocell_lace_queens(n);
}

static uint64_t skynet(size size, how how)
{
    uint64_t count = size == SMALL ? 1000 : 10000000;
    return how == SERIAL ? lyocell_serial_skynet(0, count) : lyocell_lace_skynet(0, count);
}

size_t lyocell_stress_leaf(uint64_t iterations);
size_t lyocell_stress_leaf(uint64_t iterations)
{
    for (uint64_t i = 0; i < iterations; i++) __asm__ volatile("");
    return 1;
}

static uint64_t stress(size size, how how)
{
    uint32_t height = size == SMALL ? 5 : 8;
    uint64_t trees = size == SMALL ? 3 : 1000;
    return how == SERIAL ? trees << height : lyocell_lace_stress(height, 256, trees);
}

static uint64_t tree_sum(size size, how how)
{
    enum { MOST = 1 << 16 };
    static tree_node_t nodes[MOST];
    uint64_t count = size == SMALL ? 300 : MOST, sums = size == SMALL ? 2 : 100;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t first = 2 * i + 1, second = 2 * i + 2;
        nodes[i] = (tree_node_t){i, first < count ? &nodes[first] : NULL, second < count ? &nodes[second] : NULL};
    }
    return how == SERIAL ? lyocell_serial_tree_sum(nodes, sums) : lyocell_lace_tree_sum(nodes, sums);
}

/* The compression of SHA-1 (FIPS 180-4, 6.1.2). */
void lyocell_uts_compress(uint32_t words[5], const uint8_t block[BLOCK_BYTES])
{
    static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t w[80], a = words[0], b = words[1], c = words[2], d = words[3], e = words[4];
    for (int t = 0; t < 16; t++) w[t] = load_big_endian(block + 4 * t);
    for (int t = 16; t < 80; t++) {
        uint32_t mixed = w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16];
        w[t] = mixed << 1 | mixed >> 31;
    }
    for (int t = 0; t < 80; t++) {
        uint32_t f = t < 20 ? (b & c) | (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
        uint32_t next = (a << 5 | a >> 27) + f + e + w[t] + constants[t / 20];
        e = d, d = c, c = b << 30 | b >> 2, b = a, a = next;
    }
    words[0] += a, words[1] += b, words[2] += c, words[3] += d, words[4] += e;
}

static uint64_t uts(size size, how how)
{
    /* T1 with fewer levels, and T3 with a smaller root, of the published trees. */
    const tree_t tree = {.branching = size == SMALL ? 4.0 : 200.0, .probability = 0.124875, .kind = size == SMALL ? GEOMETRIC : BINOMIAL,
                         .shape = FIXED, .depth = 5, .binomial_children = 8, .seed = 19};
    totals_t totals;
    if (how == SERIAL) lyocell_serial_uts(&tree, &totals);
    else lyocell_lace_uts(&tree, &totals);
    return (totals.nodes * 31 + totals.depth) * 31 + totals.leaves;
}

static const struct {
    const char *name;
    uint64_t (*run)(size, how);
} programs[] = {
    {"fib", fib}, {"fib_down_to", fib_down_to}, {"fork", fork_join}, {"integrate", integrate}, {"knapsack", knapsack}, {"matmul", matmul},
    {"queens", queens}, {"skynet", skynet}, {"stress", stress}, {"tree_sum", tree_sum}, {"uts", uts},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* ---- What is asked for ---- */

static double median_time(uint64_t (*run)(size, how), int runs)
{
    double times[MOST_RUNS];
    uint64_t expected = run(LARGE, SERIAL);
    for (int i = 0; i < runs; i++) {
        double begin = milliseconds(CLOCK_MONOTONIC);
        uint64_t answer = run(LARGE, TASKS);
        times[i] = milliseconds(CLOCK_MONOTONIC) - begin;
        CHECK(answer == expected);
    }
    return median(times, runs);
}

static void check(void)
{
    for (unsigned workers = 1; workers <= 4; workers++) {
        lace_start(workers, DEQUE_SLOTS, STACK_BYTES);
        for (int i = 0; i < PROGRAMS; i++) {
            for (int j = 0; j < 5; j++) CHECK(programs[i].run(SMALL, TASKS) == programs[i].run(SMALL, SERIAL));
        }
        lace_stop();
    }
}

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "check") == 0) {
        check();
        return 0;
    }
    CHECK(count >= 3);
    lace_start((unsigned)atoi(words[2]), DEQUE_SLOTS, STACK_BYTES);
    if (strcmp(words[1], "idle") == 0) {
        fib(SMALL, TASKS);
        double begin = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
        sleep(1);
        printf("%.1f\n", milliseconds(CLOCK_PROCESS_CPUTIME_ID) - begin);
    } else {
        CHECK(count == 4);
        int runs = atoi(words[3]), found = 0;
        CHECK(0 < runs && runs <= MOST_RUNS);
        for (int i = 0; i < PROGRAMS; i++) {
            if (strcmp(words[1], programs[i].name) != 0 && strcmp(words[1], "all") != 0) continue;
            printf("%s %.3f\n", programs[i].name, median_time(programs[i].run, runs));
            found++;
        }
        CHECK(found > 0);
    }
    lace_stop();
}
