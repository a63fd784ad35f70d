/* OpenMP's tasks.
 *
 * Its best fair form: tied tasks, the first of two halves as a task, the second without one, and a taskwait. Short runs of
 * fib with libgomp, on a machine that did other things too: a task for both halves took two times as long, a taskgroup a
 * third longer, untied tasks as long or longer. */
#include <omp.h>

#include "programs.hpp"

namespace {

int workers = 1;

struct OpenMp {
    template <class F>
    static void in_task(F f)
    {
#pragma omp parallel num_threads(workers)
#pragma omp single
        f();
    }

    template <class A, class B>
    static inline void both(A a, B b)
    {
#pragma omp task default(none) firstprivate(a)
        a();
        b();
#pragma omp taskwait
    }

    template <class F>
    static inline void each(uint32_t count, F f)
    {
        for (uint32_t i = 0; i + 1 < count; i++) {
#pragma omp task default(none) firstprivate(f, i)
            f(i);
        }
        if (count > 0) f(count - 1);
#pragma omp taskwait
    }
};

uint32_t start(unsigned count, size_t)
{
    workers = (int)count;
    omp_set_dynamic(0);
    return 1;
}

/* The threads end with the program, which is there for one engine and one turn only. */
void stop() {}

} // namespace

extern "C" const lyocell_kernels lyocell_rival = programs::table<OpenMp>(start, stop);
