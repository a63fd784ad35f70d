/* lyocell.hpp: results of every kind, exceptions from every place, pools and callers. */
#include "check.h"
#include <lyocell.hpp>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using lyocell::worker;

static long fib(worker &w, int n)
{
    if (n < 2) return n;
    auto [a, b] = lyocell::join(w, [=](worker &w) { return fib(w, n - 1); }, [=](worker &w) { return fib(w, n - 2); });
    return a + b;
}

static long fib(int n)
{
    if (n < 2) return n;
    auto [a, b] = lyocell::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
    return a + b;
}

static void results(worker &w)
{
    CHECK(&w == lyocell::current() && lyocell::worker_id(w) < lyocell::workers_beside(w));
    CHECK(fib(w, 18) == 2584 && fib(12) == 144);
    for (int i = 0; i < 50; i++) {
        /* Results that own something, and cannot be copied. */
        auto [text, number] = lyocell::join(w, [&] { return std::string(100, 'x'); }, [&] { return std::make_unique<int>(i); });
        CHECK(text.size() == 100 && *number == i);
        int here = 0, there = 0;
        lyocell::join(w, [&] { here = 1; }, [&] { there = 2; });
        CHECK(here == 1 && there == 2);
        auto [nothing, seven] = lyocell::join(w, [&] { here = 3; }, [] { return 7; });
        static_assert(std::is_same_v<decltype(nothing), std::monostate>);
        CHECK(here == 3 && seven == 7);
        /* A reference is returned by value. */
        const std::string &longer = text;
        auto [copy, length] = lyocell::join(w, [&]() -> const std::string & { return longer; }, [&] { return longer.size(); });
        CHECK(copy == text && length == 100);
    }
}

static void loops(worker &w)
{
    for (std::size_t count : {0, 1, 2, 1000, 20000}) {
        for (std::size_t grain : {0, 1, 7}) {
            std::vector<char> visits(count);
            lyocell::parallel_for(w, 0, count, [&](std::size_t i) { visits[i]++; }, grain);
            lyocell::parallel_for(w, 0, count, [&](worker &here, std::size_t i) { visits[i] += &here == lyocell::current(); }, grain);
            lyocell::parallel_for(0, count, [&](std::size_t i) { visits[i]++; }, grain);
            for (char times : visits) CHECK(times == 3);
            auto sum = lyocell::reduce(w, 0, count, 0UL, [](std::size_t i) { return i; }, std::plus<>(), grain);
            CHECK(count == 0 ? sum == 0 : sum == count * (count - 1) / 2);
        }
    }
    lyocell::parallel_for(w, 5, 3, [](std::size_t) { CHECK(false); });
    /* Not commutative. */
    auto letters = lyocell::reduce(0, 26, std::string(), [](std::size_t i) { return std::string(1, char('a' + i)); }, std::plus<>(), 1);
    CHECK(letters == "abcdefghijklmnopqrstuvwxyz");
}

/* How many of these there are. */
static std::atomic<int> alive;
struct counted {
    counted() { alive++; }
    counted(const counted &) { alive++; }
    ~counted() { alive--; }
};

struct thrown {
    std::string what;
    counted count;
};

template <class F>
static std::string what_of(F f)
{
    try {
        f();
    } catch (const thrown &exception) {
        return exception.what;
    }
    return "nothing";
}

/* A wait in which others take what there is to take. */
static void linger(worker &w) { CHECK(fib(w, 16) == 987); }

static void exceptions(worker &w)
{
    for (int i = 0; i < 60; i++) {
        counted outer;
        std::atomic<int> begun = 0, over = 0;
        auto throws = [&](const char *what) { throw thrown{what, {}}; };
        auto fine = [&](worker &w) { begun++; linger(w); counted result; over++; return result; };
        CHECK(what_of([&] { lyocell::join(w, [&] { throws("a"); }, fine); }) == "a");
        CHECK(begun == over);
        CHECK(what_of([&] { lyocell::join(w, [&] { linger(w); throws("a"); }, fine); }) == "a");
        /* Who has begun it has ended it, and nobody begins it later. */
        int seen = begun;
        CHECK(seen == over && seen <= 2);
        CHECK(what_of([&] { lyocell::join(w, fine, [&] { throws("b"); }); }) == "b");
        CHECK(what_of([&] { lyocell::join(w, [&] { linger(w); throws("a"); }, [&] { throws("b"); }); }) == "a");
        CHECK(begun == seen + 1 && over == begun);
        CHECK(alive == 1);
        /* Within a handler, and through several levels. */
        try {
            throws("outer");
        } catch (const thrown &) {
            CHECK(what_of([&] { lyocell::parallel_for(w, 0, 100, [&](std::size_t i) { if (i == 57) throws("57"); }, 1); }) == "57");
            linger(w);
            CHECK(what_of([] { throw; }) == "outer");
        }
        CHECK(what_of([&] {
            lyocell::reduce(w, 0, 100, 0, [&](std::size_t i) { if (i == 99) throws("99"); return 1; }, std::plus<>(), 1);
        }) == "99");
        CHECK(alive == 1);
    }
    CHECK(alive == 0);
}

static void from_outside(const lyocell::pool &pool)
{
    CHECK(what_of([&] { pool.run([] { throw thrown{"run", {}}; }); }) == "run");
    CHECK(what_of([&] { pool.run([&](worker &w) { linger(w); pool.run([] { throw thrown{"within", {}}; }); }); }) == "within");
    CHECK(*pool.run([] { return std::make_unique<int>(3); }) == 3);
    CHECK(alive == 0);
}

static void pools()
{
    lyocell::pool pool({.workers = 2, .search_time = std::chrono::microseconds(50), .callers_sleep = true, .exposing = false});
    CHECK(pool.workers() == 2 && !pool.exposing());
    lyocell::pool other(1);
    other = std::move(pool);
    CHECK(other.workers() == 2);
    lyocell::pool third = std::move(other);
    CHECK(third.run([](worker &w) { return fib(w, 10); }) == 55);
    try {
        lyocell::pool many(5000);
        CHECK(false);
    } catch (const lyocell::error &error) {
        CHECK(error.code() == LYO_ERROR_ARGUMENT && std::strstr(error.what(), "5000"));
    }
    CHECK(lyocell::current() == nullptr && fib(15) == 610);
    CHECK(what_of([] { lyocell::join([] {}, [] { throw thrown{"default", {}}; }); }) == "default");
}

int main()
{
    for (std::size_t workers : {1, 2, 5}) {
        /* With room for few tasks they run when they are spawned, and throw there. */
        for (std::size_t capacity : {0, 1, 3}) {
            lyocell::pool pool({.workers = workers, .deque_capacity = capacity});
            pool.run(results);
            pool.run(loops);
            pool.run(exceptions);
            from_outside(pool);
            std::thread beside([&] { pool.run(results); });
            pool.run(exceptions);
            beside.join();
        }
    }
    pools();
}
