/* The sides of a product and how it is cut, as C and C++ have them. */
#pragma once

#include <stdint.h>

/* `Shape` of product.rs. */
typedef struct {
    uint32_t m;
    uint32_t n;
    uint32_t p;
    uint32_t stride;
    uint32_t accumulate;
    uint32_t cutoff;
} product_t;
