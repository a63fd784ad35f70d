/* oneTBB.
 *
 * Its best fair form: parallel_invoke with one context for all joins. Short runs of fib, on a machine that did other things
 * too: a context for each join took 1.7 times as long, a task_group with the one context about as long. */
#include <memory>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "programs.hpp"

namespace {

std::unique_ptr<tbb::task_arena> arena;
std::unique_ptr<tbb::global_control> most_threads, stacks;
std::unique_ptr<tbb::task_group_context> context;

struct Tbb {
    template <class F>
    static void in_task(F f)
    {
        arena->execute(f);
    }

    template <class A, class B>
    static inline void both(A a, B b)
    {
        tbb::parallel_invoke(a, b, *context);
    }

    template <class F>
    static inline void each(uint32_t count, F f)
    {
        tbb::task_group group(*context);
        for (uint32_t i = 0; i + 1 < count; i++) group.run([f, i] { f(i); });
        if (count > 0) f(count - 1);
        group.wait();
    }
};

uint32_t start(unsigned workers, size_t stack_bytes)
{
    using tbb::global_control;
    most_threads = std::make_unique<global_control>(global_control::max_allowed_parallelism, workers);
    stacks = std::make_unique<global_control>(global_control::thread_stack_size, stack_bytes);
    arena = std::make_unique<tbb::task_arena>((int)workers);
    arena->initialize();
    context = std::make_unique<tbb::task_group_context>();
    return 1;
}

void stop()
{
    context.reset();
    arena.reset();
    stacks.reset();
    most_threads.reset();
}

} // namespace

extern "C" const lyocell_kernels lyocell_rival = programs::table<Tbb>(start, stop);
