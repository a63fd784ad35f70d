/* `Interval` of mod.rs, in C: the arithmetic in the same order. */
#pragma once

#include <math.h>

typedef struct {
    double from;
    double to;
    double y_from;
    double y_to;
    double area;
} interval_t;

static inline double curve(double x) { return (x * x + 1.0) * x; }

static inline double trapezoid(double from, double to, double y_from, double y_to)
{
    return (y_from + y_to) / 2.0 * (to - from);
}
