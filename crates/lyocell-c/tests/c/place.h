/* What programs that are timed share. PLACE moves the code that is linked behind the file which includes this, by so many times 16 bytes. */
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#ifdef PLACE
#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
__asm__(".text\n.skip 16 * " TEXT(PLACE) "\n");
#endif

enum { MOST_RUNS = 101 };

static double milliseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, by_value);
    return times[count / 2];
}
