/* Plain recursion. */
#include "interval.h"

static double integrate(double from, double to, double y_from, double y_to, double area, double tolerance)
{
    double middle = from + (to - from) / 2.0, y_middle = curve(middle);
    double first = trapezoid(from, middle, y_from, y_middle), second = trapezoid(middle, to, y_middle, y_to);
    double both = first + second;
    if (fabs(both - area) < tolerance) return both;
    double a = integrate(from, middle, y_from, y_middle, first, tolerance);
    return a + integrate(middle, to, y_middle, y_to, second, tolerance);
}

double lyocell_serial_integrate(const interval_t *whole, double tolerance)
{
    return integrate(whole->from, whole->to, whole->y_from, whole->y_to, whole->area, tolerance);
}
