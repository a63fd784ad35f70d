/* lyocell/parlay.hpp: ParlayLib on Lyocell: par_do, parallel_for, num_workers, worker_id, execute_with_scheduler.
 *
 * Include it before any header of Parlay; or compile a program as it is with `-include lyocell/parlay.hpp`. PARLAY_NUM_THREADS says how many
 * workers there are, as elsewhere in Parlay; without it LYOCELL_WORKERS, and the processors.
 *
 * Parlay keeps things for each worker, at its number. A thread outside of the pool has the number 0, which it also has where it runs
 * something in parallel: so that no two threads have one number, one thread alone calls Parlay, as with its other schedulers. */
#ifndef LYOCELL_PARLAY_HPP
#define LYOCELL_PARLAY_HPP

#ifdef PARLAY_PARALLEL_H_
#error "include <lyocell/parlay.hpp> before the headers of Parlay: it chooses their scheduler"
#endif

#include "../lyocell.hpp"

#include <cstdlib>

/* Parlay takes the scheduler that a macro names, out of a header of its own. The name is TBB's, whose header is passed over. */
#define PARLAY_TBB
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_TBB_H_
#include <parlay/parallel.h>

namespace parlay {
namespace internal {

inline lyocell::pool &lyocell_pool()
{
    static lyocell::pool &pool = *[] {
        const char *workers = std::getenv("PARLAY_NUM_THREADS");
        return new lyocell::pool(workers ? std::strtoul(workers, nullptr, 10) : 0);
    }();
    return pool;
}

} // namespace internal

inline size_t num_workers()
{
    if (lyocell::worker *w = lyocell::current()) return lyocell::workers_beside(*w);
    return internal::lyocell_pool().workers();
}

inline size_t worker_id()
{
    lyocell::worker *w = lyocell::current();
    return w ? lyocell::worker_id(*w) : 0;
}

template <typename F>
inline void parallel_for(size_t start, size_t end, F &&f, long granularity, bool)
{
    auto body = [&f](size_t i) { f(i); };
    auto loop = [&](lyocell::worker &w) { lyocell::parallel_for(w, start, end, body, static_cast<size_t>(granularity)); };
    lyocell::detail::on_a_worker(loop, internal::lyocell_pool);
}

template <typename Lf, typename Rf>
inline void par_do(Lf &&left, Rf &&right, bool)
{
    auto a = [&left] { std::forward<Lf>(left)(); };
    auto b = [&right] { std::forward<Rf>(right)(); };
    lyocell::detail::on_a_worker([&](lyocell::worker &w) { lyocell::join(w, a, b); }, internal::lyocell_pool);
}

/* Calls `f` in a pool of its own, of p workers. */
template <typename F>
void execute_with_scheduler(unsigned p, F &&f)
{
    lyocell::pool(p).run([&f] { std::forward<F>(f)(); });
}

} // namespace parlay

#endif
