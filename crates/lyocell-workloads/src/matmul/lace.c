/* Matrix product by divide and conquer, the recursion of Cilk's matmul. */
#include "../lace/program.h"
#include "product.h"

void lyocell_matmul_leaf(const float *a, const float *b, float *c, const product_t *shape);

TASK(void, matmul, const float *, a, const float *, b, float *, c, product_t, shape)

/* A shape with one side replaced. */
static product_t with_m(product_t shape, uint32_t m) { shape.m = m; return shape; }
static product_t with_n(product_t shape, uint32_t n) { shape.n = n; return shape; }
static product_t with_p(product_t shape, uint32_t p) { shape.p = p; return shape; }

void matmul_CALL(lace_worker *worker, const float *a, const float *b, float *c, product_t shape)
{
    uint32_t m = shape.m, n = shape.n, p = shape.p;
    if (m + n + p <= shape.cutoff) {
        lyocell_matmul_leaf(a, b, c, &shape);
    } else if (m >= n && n >= p) {
        size_t half = m / 2, rows = half * shape.stride;
        matmul_SPAWN(worker, a, b, c, with_m(shape, half));
        matmul_CALL(worker, a + rows, b, c + rows, with_m(shape, m - half));
        matmul_SYNC(worker);
    } else if (n >= m && n >= p) {
        size_t half = n / 2;
        product_t rest = with_n(shape, n - half);
        rest.accumulate = 1;
        matmul_CALL(worker, a, b, c, with_n(shape, half));
        matmul_CALL(worker, a + half, b + half * shape.stride, c, rest);
    } else {
        size_t half = p / 2;
        matmul_SPAWN(worker, a, b, c, with_p(shape, half));
        matmul_CALL(worker, a, b + half, c + half, with_p(shape, p - half));
        matmul_SYNC(worker);
    }
}

void lyocell_lace_matmul(const float *a, const float *b, float *c, const product_t *shape)
{
    matmul(a, b, c, *shape);
}
