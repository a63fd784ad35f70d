/* What a scheduler of ParlayLib implements, as its documentation lists it. It stands for the library where that is not here. */
#ifndef PARLAY_PARALLEL_H_
#define PARLAY_PARALLEL_H_
#include <cstddef>
#ifndef PARLAY_TBB
#error "no scheduler has been chosen"
#endif
namespace parlay {
inline size_t num_workers();
inline size_t worker_id();
template <typename F>
inline void parallel_for(size_t start, size_t end, F &&f, long granularity = 0, bool conservative = false);
template <typename Lf, typename Rf>
inline void par_do(Lf &&left, Rf &&right, bool conservative = false);
} // namespace parlay
#endif
