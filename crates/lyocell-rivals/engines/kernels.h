/* What an engine brings: `Kernels` of lyocell_workloads::rival, which says what each function does, and which may be null. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "matmul/product.h"
#include "queens/board.h"
#include "uts/node.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*call_t)(void *worker, void *data);

typedef struct {
    uint32_t (*start)(unsigned workers, size_t stack_bytes);
    void (*stop)(void);
    void (*run)(call_t call, void *data);
    void (*join)(void *worker, call_t a, void *a_data, call_t b, void *b_data);
    uint64_t (*fib)(uint64_t n);
    uint64_t (*queens)(uint32_t n);
    void (*uts)(const tree_t *tree, totals_t *totals);
    void (*matmul)(const float *a, const float *b, float *c, const product_t *sides);
    size_t (*stress)(uint32_t height, uint64_t iterations, uint64_t trees);
} lyocell_kernels;

/* The engine of this program. */
extern const lyocell_kernels lyocell_rival;

/* Long leaves, which every engine has from the same functions in Rust. */
void lyocell_matmul_leaf(const float *a, const float *b, float *c, const product_t *sides);
size_t lyocell_stress_leaf(uint64_t iterations);

#ifdef __cplusplus
}
#endif
