/* A Rust panic under frames of C++: it goes back into Rust, or, out of a task that another worker has taken, ends the process.
 *
 * Without an argument: what goes back. With one, "taken": what ends. */
#include "check.h"
#include <lyocell.hpp>

#include <atomic>
#include <cstring>

using lyocell::worker;

extern "C" void rust_panics();
extern "C" bool rust_catches(void (*function)(void *), void *argument);

template <class F>
static bool catches(F f)
{
    return rust_catches([](void *argument) { (*static_cast<F *>(argument))(); }, &f);
}

static int destroyed;
struct noticed {
    ~noticed() { destroyed++; }
};

/* With one worker nobody takes anything. */
static void goes_back()
{
    lyocell::pool pool(1);
    bool called = false;
    auto calls = [&] { called = true; };
    auto panics = [] { noticed here; rust_panics(); };
    CHECK(catches([&] { pool.run(panics); }) && destroyed == 1);
    pool.run([&](worker &w) {
        CHECK(catches([&] { lyocell::join(w, panics, calls); }) && !called && destroyed == 2);
        CHECK(catches([&] { lyocell::join(w, calls, panics); }) && called && destroyed == 3);
        CHECK(catches([&] { lyocell::parallel_for(w, 0, 9, [&](std::size_t i) { if (i == 3) panics(); }, 1); }) && destroyed == 4);
        int sum = 0;
        lyocell::join(w, [&] { sum += 1; }, [&] { sum += 2; });
        CHECK(sum == 3);
    });
    /* From frame to frame, through the library's own. */
    CHECK(catches([&] { pool.run([&](worker &w) { lyocell::join(w, [&] { pool.run(panics); }, calls); }); }) && destroyed == 5);
    CHECK(pool.run([] { return 7; }) == 7);
}

static void ends()
{
    lyocell::pool pool(2);
    pool.run([](worker &w) {
        std::atomic<bool> taken = false;
        lyocell::join(w, [&] { while (!taken) lyocell::join(w, [] {}, [] {}); }, [&] { taken = true; rust_panics(); });
    });
    CHECK(false);
}

int main(int count, char **arguments)
{
    if (count == 2 && std::strcmp(arguments[1], "taken") == 0) ends();
    goes_back();
}
