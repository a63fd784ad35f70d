/* The scheduler for ParlayLib. */
#include <lyocell/parlay.hpp>

#include "check.h"

#include <numeric>
#include <stdexcept>
#include <vector>

static long sum(const long *from, std::size_t count)
{
    if (count < 50) return std::accumulate(from, from + count, 0L);
    long low = 0, high = 0;
    parlay::par_do([&] { low = sum(from, count / 2); }, [&] { high = sum(from + count / 2, count - count / 2); });
    return low + high;
}

static void all()
{
    constexpr std::size_t COUNT = 100000;
    std::vector<long> numbers(COUNT), of_worker(parlay::num_workers());
    for (long granularity : {0, 1, 100}) {
        parlay::parallel_for(0, COUNT, [&](auto i) { numbers[i] += static_cast<long>(i); }, granularity);
    }
    CHECK(sum(numbers.data(), COUNT) == 3L * COUNT * (COUNT - 1) / 2);
    /* No two run at the same time with one number. */
    parlay::parallel_for(0, COUNT, [&](std::size_t) { of_worker.at(parlay::worker_id())++; }, 10);
    CHECK(std::accumulate(of_worker.begin(), of_worker.end(), 0L) == COUNT);
    parlay::parallel_for(7, 7, [](std::size_t) { CHECK(false); });
    bool caught = false;
    try {
        parlay::par_do([] {}, [] { throw std::runtime_error("here"); });
    } catch (const std::runtime_error &) {
        caught = true;
    }
    CHECK(caught);
}

int main()
{
    CHECK(setenv("PARLAY_NUM_THREADS", "3", 1) == 0);
    CHECK(parlay::num_workers() == 3 && parlay::worker_id() == 0);
    for (int i = 0; i < 20; i++) all();
    for (unsigned workers = 1; workers <= 4; workers++) {
        parlay::execute_with_scheduler(workers, [&] {
            CHECK(parlay::num_workers() == workers);
            all();
        });
    }
}
