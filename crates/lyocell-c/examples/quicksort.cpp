/* Quicksort: both halves of a partition in parallel. */
#include <lyocell.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

template <class Iterator>
static void quicksort(lyocell::worker &w, Iterator begin, Iterator end)
{
    if (end - begin < 2000) return std::sort(begin, end);
    auto pivot = *(begin + (end - begin) / 2);
    Iterator low = std::partition(begin, end, [&](const auto &each) { return each < pivot; });
    Iterator high = std::partition(low, end, [&](const auto &each) { return !(pivot < each); });
    lyocell::join(w, [=](lyocell::worker &w) { quicksort(w, begin, low); },
                  [=](lyocell::worker &w) { quicksort(w, high, end); });
}

int main()
{
    std::mt19937 random(42);
    std::vector<unsigned> numbers(1'000'000);
    for (unsigned &each : numbers) each = random();

    lyocell::pool pool;
    pool.run([&](lyocell::worker &w) { quicksort(w, numbers.begin(), numbers.end()); });

    bool is_sorted = std::is_sorted(numbers.begin(), numbers.end());
    std::printf("%zu numbers, %s\n", numbers.size(), is_sorted ? "sorted" : "not sorted");
    return !is_sorted;
}
