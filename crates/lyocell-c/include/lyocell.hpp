/* lyocell.hpp: fine-grained fork-join parallelism for C++20, over lyocell.h.
 *
 *     #include <lyocell.hpp>
 *     #include <cstdio>
 *
 *     long fib(int n)
 *     {
 *         if (n < 2) return n;
 *         auto [a, b] = lyocell::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
 *         return a + b;
 *     }
 *
 *     int main() { std::printf("%ld\n", fib(30)); }
 *
 * `join` calls two functions, the second perhaps on another worker; `parallel_for` and `reduce` are made of it. Each has a form whose first
 * argument is the worker that calls it, which is faster: a function that takes a worker first gets the one it runs on. The forms without
 * run in the pool of the calling thread, and outside of pools in the default one.
 *
 *     long fib(lyocell::worker &w, int n)
 *     {
 *         if (n < 2) return n;
 *         auto [a, b] = lyocell::join(w, [=](auto &w) { return fib(w, n - 1); }, [=](auto &w) { return fib(w, n - 2); });
 *         return a + b;
 *     }
 *
 * Exceptions. What a function throws goes to who has called the join, the loop or `pool::run`, as if it had been called there; it is kept
 * where it is thrown, and thrown again at the sync, so that it never meets the frames of the library. If both functions of a join throw, the
 * exception of the first goes on. A function that has not begun when another one throws is not called; one that has is waited for.
 *
 * A Rust panic, in a program that has both, goes through these frames and runs their destructors, on its way back into Rust, if it is that
 * of a function that is called in place: the first of a join, a second that nobody has taken, what a pool runs. One that leaves a function
 * which another worker has taken ends the process, with a message: C++ can keep no panic of Rust. */
#ifndef LYOCELL_HPP
#define LYOCELL_HPP

#include "lyocell.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

namespace lyocell {

/* The worker that runs a function. There is no other way to one than by a reference, which is of use on its own thread only. */
using worker = lyo_worker;

/* The worker of this thread; null outside of pools. */
inline worker *current() noexcept { return lyo_current(); }

/* The number of a worker, below that of the workers beside it. */
inline std::size_t worker_id(const worker &w) noexcept { return lyo_worker_id(&w); }
inline std::size_t workers_beside(const worker &w) noexcept { return lyo_workers_beside(&w); }

/* What the library could not do: what was wrong, with which value, and what to do. `code` is one of the LYO_ERROR_… of lyocell.h. */
class error : public std::runtime_error {
public:
    explicit error(int code) : std::runtime_error(lyo_error()), code_(code) {}
    int code() const noexcept { return code_; }

private:
    int code_;
};

namespace detail {

/* Calls a function with the worker, if it takes one. */
template <class F, class... Arguments>
decltype(auto) call(worker &w, F &f, Arguments... arguments)
{
    if constexpr (std::is_invocable_v<F &, worker &, Arguments...>) return f(w, arguments...);
    else return f(arguments...);
}

/* What a function returns, by value; in place of nothing, std::monostate. */
template <class F, class... Arguments>
using called = decltype(call(std::declval<worker &>(), std::declval<F &>(), std::declval<Arguments>()...));
template <class R>
using value = std::conditional_t<std::is_void_v<R>, std::monostate, std::decay_t<R>>;
template <class F, class... Arguments>
using result = value<called<F, Arguments...>>;

template <class F>
result<F> call_for_value(worker &w, F &f)
{
    if constexpr (std::is_void_v<called<F>>) {
        call(w, f);
        return {};
    } else {
        return call(w, f);
    }
}

/* What a function has returned or thrown, for whoever waits for it. */
template <class F>
class kept {
public:
    kept(worker &w, F &f) : what_(by_calling(w, f)) {}

    /* Gives it away: once. */
    result<F> take()
    {
        if (auto *exception = std::get_if<1>(&what_)) std::rethrow_exception(std::move(*exception));
        return std::get<0>(std::move(what_));
    }

private:
    using either = std::variant<result<F>, std::exception_ptr>;

    static either by_calling(worker &w, F &f)
    {
        try {
            return either(std::in_place_index<0>, call_for_value(w, f));
        } catch (...) {
            std::exception_ptr exception = std::current_exception();
            /* What is no exception of C++ cannot be kept, and goes on. */
            if (!exception) throw;
            return either(std::in_place_index<1>, std::move(exception));
        }
    }

    either what_;
};

/* Where a thief keeps the outcome of a task: there is one only if a thief has run it. */
template <class F>
union place {
    place() noexcept {}
    ~place() {}
    kept<F> outcome;
};

/* A task that has been spawned. It is dropped, unless it has been synced, when this ends. */
template <class F>
class spawned {
public:
    spawned(worker &w, F &f, place<F> &place) noexcept : w_(w), f_(f), place_(place)
    {
        lyo_slot *slot = lyo_head(&w);
        slot->run = run;
        new (slot->payload) arguments{&f, &place};
        lyo_push(&w, slot);
    }
    spawned(const spawned &) = delete;
    spawned &operator=(const spawned &) = delete;
    ~spawned()
    {
        if (!is_synced_ && was_taken()) place_.outcome.~kept();
    }

    result<F> sync()
    {
        is_synced_ = true;
        if (was_taken()) return take();
        return call_for_value(w_, f_);
    }

private:
    struct arguments {
        F *f;
        place<F> *kept;
    };
    static_assert(sizeof(arguments) <= sizeof(lyo_slot::payload));

    /* What a thief calls. Nothing that is thrown leaves it. */
    static std::uint32_t run(lyo_slot *slot, worker *w) noexcept
    {
        arguments task = *std::launder(reinterpret_cast<arguments *>(slot->payload));
        try {
            new (&task.kept->outcome) kept<F>(*w, *task.f);
        } catch (...) {
            /* Not std::terminate: the handler of libstdc++ reads what only an exception of C++ has. */
            std::fputs("lyocell: what has left a task that another worker runs is no exception of C++, and cannot be kept\n", stderr);
            std::abort();
        }
        return LYO_DONE;
    }

    /* The sync: whether somebody has run it, who is through with it. */
    bool was_taken()
    {
        lyo_slot *slot = lyo_head(&w_) - 1;
        return !lyo_pop(&w_, slot) && lyo_sync_slow(&w_, slot);
    }

    [[gnu::cold, gnu::noinline]] result<F> take()
    {
        kept<F> outcome = std::move(place_.outcome);
        place_.outcome.~kept();
        return outcome.take();
    }

    worker &w_;
    F &f_;
    place<F> &place_;
    bool is_synced_ = false;
};

/* So many indices a part make 64 parts a worker, and at most 2048. Untuned. */
inline std::size_t part(const worker &w, std::size_t count, std::size_t grain) noexcept
{
    if (grain > 0) return grain;
    return std::clamp<std::size_t>(count / (64 * workers_beside(w)), 1, 2048);
}

} // namespace detail

/* ---- Pools ---- */

/* 0, or what is written here, is the default: see lyo_options. */
struct options {
    std::size_t workers = 0;
    std::size_t deque_capacity = 0;
    std::size_t stack_size = 0;
    std::chrono::nanoseconds search_time{0};
    bool callers_sleep = false;
    bool exposing = true;
};

/* A pool of workers. Its end waits for what others run on it. */
class pool {
public:
    /* Throws `error` if an option has a value that it cannot have, or the system has no memory or no threads. */
    explicit pool(const options &options = {})
    {
        lyo_options plain{};
        plain.size = sizeof plain;
        plain.workers = options.workers;
        plain.deque_capacity = options.deque_capacity;
        plain.stack_size = options.stack_size;
        plain.search_time_ns = static_cast<std::uint64_t>(options.search_time.count());
        plain.flags = (options.callers_sleep ? LYO_CALLERS_SLEEP : 0) | (options.exposing ? 0 : LYO_NO_EXPOSING);
        if (int code = lyo_pool_new(&pool_, &plain)) throw error(code);
    }
    explicit pool(std::size_t workers) : pool(options{.workers = workers}) {}
    pool(pool &&other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
    pool &operator=(pool &&other) noexcept
    {
        std::swap(pool_, other.pool_);
        return *this;
    }
    ~pool() { lyo_pool_free(pool_); }

    std::size_t workers() const noexcept { return lyo_workers(pool_); }
    bool exposing() const noexcept { return lyo_exposing(pool_); }
    /* It, for the functions of lyocell.h. */
    lyo_pool *get() const noexcept { return pool_; }

    /* Calls a function on a worker, and returns what it returns, by value. Throws what it throws, and `error` if the pool is being freed. */
    template <class F>
    auto run(F &&f) const
    {
        using function = std::remove_reference_t<F>;
        struct call {
            function &f;
            std::optional<detail::kept<function>> outcome;
        } call{f, std::nullopt};
        auto start = [](worker *w, void *argument) {
            auto *there = static_cast<struct call *>(argument);
            there->outcome.emplace(*w, there->f);
        };
        if (int code = lyo_run(pool_, start, &call)) throw error(code);
        if constexpr (std::is_void_v<detail::called<function>>) call.outcome->take();
        else return call.outcome->take();
    }

private:
    lyo_pool *pool_ = nullptr;
};

/* The pool of what is called outside of pools: built when it is first needed, and there until the process ends. */
inline pool &default_pool()
{
    static pool &it = *new pool;
    return it;
}

namespace detail {

/* Calls a function with the worker of this thread; if there is none, with one of a pool. */
template <class F>
auto on_a_worker(F &&f, pool &(*otherwise)() = default_pool)
{
    if (worker *w = current()) return f(*w);
    return otherwise().run(f);
}

} // namespace detail

/* ---- Fork and join ---- */

/* Calls `a` and, perhaps on another worker, `b`. Returns a pair of what they return, in which std::monostate stands for nothing; and
 * nothing if neither returns anything. */
template <class A, class B>
auto join(worker &w, A &&a, B &&b)
{
    using function = std::remove_reference_t<B>;
    using first = detail::called<std::remove_reference_t<A>>;
    detail::place<function> place;
    detail::spawned<function> task(w, b, place);
    if constexpr (std::is_void_v<first> && std::is_void_v<detail::called<function>>) {
        detail::call(w, a);
        task.sync();
    } else {
        auto of_a = detail::call_for_value(w, a);
        auto of_b = task.sync();
        return std::pair(std::move(of_a), std::move(of_b));
    }
}

template <class A, class B>
auto join(A &&a, B &&b)
{
    return detail::on_a_worker([&](worker &w) { return join(w, a, b); });
}

/* Calls `body(i)` for each i from `begin` to `end`, in parallel, with `grain` indices one after the other (0: as many as seem right). When one
 * throws, some of the others are not called. */
template <class F>
void parallel_for(worker &w, std::size_t begin, std::size_t end, F &&body, std::size_t grain = 0)
{
    if (begin >= end) return;
    grain = detail::part(w, end - begin, grain);
    if (end - begin <= grain) {
        for (; begin < end; begin++) detail::call(w, body, begin);
        return;
    }
    std::size_t middle = begin + (end - begin) / 2;
    join(w, [&, begin](worker &w) { parallel_for(w, begin, middle, body, grain); },
         [&, end](worker &w) { parallel_for(w, middle, end, body, grain); });
}

template <class F>
void parallel_for(std::size_t begin, std::size_t end, F &&body, std::size_t grain = 0)
{
    detail::on_a_worker([&](worker &w) { parallel_for(w, begin, end, body, grain); });
}

/* Combines `map(i)` for each i from `begin` to `end` by `combine`, which is associative and of which `identity` is the neutral element. */
template <class T, class Map, class Combine>
T reduce(worker &w, std::size_t begin, std::size_t end, T identity, Map &&map, Combine &&combine, std::size_t grain = 0)
{
    if (begin >= end) return identity;
    grain = detail::part(w, end - begin, grain);
    if (end - begin <= grain) {
        T sum = identity;
        for (; begin < end; begin++) sum = combine(std::move(sum), detail::call(w, map, begin));
        return sum;
    }
    std::size_t middle = begin + (end - begin) / 2;
    auto [low, high] = join(w, [&](worker &w) { return reduce(w, begin, middle, identity, map, combine, grain); },
                            [&](worker &w) { return reduce(w, middle, end, identity, map, combine, grain); });
    return combine(std::move(low), std::move(high));
}

template <class T, class Map, class Combine>
T reduce(std::size_t begin, std::size_t end, T identity, Map &&map, Combine &&combine, std::size_t grain = 0)
{
    return detail::on_a_worker([&](worker &w) { return reduce(w, begin, end, std::move(identity), map, combine, grain); });
}

} // namespace lyocell

#endif
