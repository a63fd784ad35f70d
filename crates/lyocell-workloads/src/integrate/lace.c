/* Adaptive quadrature in pure C, with the arithmetic of mod.rs in the same order. */
#include "../lace/program.h"
#include "interval.h"

/* An interval in six words, which is what a task holds. */
TASK(double, integrate, double, from, double, to, double, y_from, double, y_to, double, area, double, tolerance)

double integrate_CALL(lace_worker *worker, double from, double to, double y_from, double y_to, double area,
                      double tolerance)
{
    double middle = from + (to - from) / 2.0, y_middle = curve(middle);
    double first = trapezoid(from, middle, y_from, y_middle), second = trapezoid(middle, to, y_middle, y_to);
    double both = first + second;
    if (fabs(both - area) < tolerance) return both;
    integrate_SPAWN(worker, middle, to, y_middle, y_to, second, tolerance);
    double a = integrate_CALL(worker, from, middle, y_from, y_middle, first, tolerance);
    double b = integrate_SYNC(worker);
    return a + b;
}

double lyocell_lace_integrate(const interval_t *whole, double tolerance)
{
    return integrate(whole->from, whole->to, whole->y_from, whole->y_to, whole->area, tolerance);
}
