/* lyocell.h: fine-grained fork-join parallelism for C and C++.
 *
 *     #include <lyocell.h>
 *     #include <stdio.h>
 *
 *     LYO_TASK_1(long, fib, int, n)
 *
 *     long fib_call(lyo_worker *w, int n)
 *     {
 *         if (n < 2) return n;
 *         fib_spawn(w, n - 1);
 *         long b = fib_call(w, n - 2);
 *         return fib_sync(w) + b;
 *     }
 *
 *     static void start(lyo_worker *w, void *result) { *(long *)result = fib_call(w, 30); }
 *
 *     int main(void)
 *     {
 *         lyo_pool *pool;
 *         long result;
 *         if (lyo_pool_new(&pool, NULL) != LYO_OK) { fprintf(stderr, "%s\n", lyo_error()); return 1; }
 *         lyo_run(pool, start, &result);
 *         printf("%ld\n", result);
 *         lyo_pool_free(pool);
 *     }
 *
 * A spawn that nobody steals is five stores and two compares, inline. A worker without work steals the oldest task of another one; idle
 * workers sleep. Spawns and syncs are nested: each spawn of a task is synced by the same call of a function, the newest first.
 *
 * A spawn for which the array of a worker has no room runs its task at once and keeps the result for its sync: no number of tasks ends a
 * program. Its memory is what the results take.
 *
 * Functions that can fail return LYO_OK or an error; lyo_error() has the message. Nothing here may be called from a signal handler.
 * A task must not unwind: a C++ exception that leaves one ends the process, so catch it within the task. */
#ifndef LYOCELL_H
#define LYOCELL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(__GNUC__)
#error "lyocell.h needs gcc or clang: its fast paths are made of their __atomic builtins"
#endif

#ifdef __cplusplus
extern "C" {
#define LYO_STATIC_ASSERT static_assert
#else
#define LYO_STATIC_ASSERT _Static_assert
#endif

#define LYO_INLINE static inline __attribute__((always_inline, unused))
/* Spawns and syncs: inlined as well, but not before gcc has looked for what may be split off: it calls a task whose beginning may be its
 * end (`if (n < 2) return n;`) only where it is not. */
#define LYO_HOT static inline __attribute__((unused))
#define LYO_COLD static __attribute__((noinline, cold, unused))

/* ---- What the fast paths touch. The library has the same numbers, and compares them when a pool is built. ---- */

/* The bytes that two processors are kept apart by. */
#if defined(__x86_64__) || defined(__aarch64__) || defined(__powerpc64__)
#define LYO_LINE 128
#elif defined(__arm__) || defined(__mips__) || defined(__sparc__) || defined(__hexagon__)
#define LYO_LINE 32
#elif defined(__s390x__)
#define LYO_LINE 256
#else
#define LYO_LINE 64
#endif

typedef struct lyo_worker lyo_worker;
typedef struct lyo_slot lyo_slot;

/* Runs the task in a slot, leaves its result in the payload, and returns LYO_DONE. Without a worker it frees what the task has. */
typedef uint32_t (*lyo_run_slot)(lyo_slot *, lyo_worker *);
#define LYO_DONE 1u

/* A task: 48 bytes of arguments, and later its result. */
struct lyo_slot {
    union { lyo_run_slot run; lyo_run_slot f; };
    uint32_t state;
    uint32_t reserved;
    union { unsigned char payload[48]; char d[48]; } __attribute__((aligned(16)));
} __attribute__((aligned(64)));

/* The part of a worker that a header knows. There is no other way to one than by a pointer. */
struct lyo_worker {
    lyo_slot *head;
    union { size_t index; size_t worker; };
    unsigned char reserved[LYO_LINE - 2 * sizeof(void *)];
    uintptr_t push_limit;
    uintptr_t pop_limit;
};

typedef struct lyo_layout_t {
    size_t head, index, push_limit, pop_limit, run, state, payload, slot;
} lyo_layout_t;

LYO_STATIC_ASSERT(offsetof(lyo_worker, push_limit) == LYO_LINE, "the limits are on a line of their own");
LYO_STATIC_ASSERT(sizeof(lyo_slot) == 64 && offsetof(lyo_slot, payload) == 16, "a task is 64 bytes, 48 of them its payload");

#define LYO_LAYOUT                                                                                          \
    { offsetof(lyo_worker, head), offsetof(lyo_worker, index), offsetof(lyo_worker, push_limit),            \
      offsetof(lyo_worker, pop_limit), offsetof(lyo_slot, run), offsetof(lyo_slot, state),                  \
      offsetof(lyo_slot, payload), sizeof(lyo_slot) }

/* The layout that the library was compiled with. */
lyo_layout_t lyo_layout(void);

/* ---- Errors ---- */

enum {
    LYO_OK = 0,
    /* The header is of another version than the library. */
    LYO_ERROR_LAYOUT = 1,
    /* An argument is null, or an option has a value that it cannot have. */
    LYO_ERROR_ARGUMENT = 2,
    /* The system has no memory or no thread for the pool. */
    LYO_ERROR_SYSTEM = 3,
    /* The pool is being freed. */
    LYO_ERROR_CLOSED = 4,
    /* Frames need a pool that was built with LYO_CALLERS_SLEEP. */
    LYO_ERROR_SEAT = 5
};

/* What was wrong in the last call on this thread that returned an error, with which value, and what to do. */
const char *lyo_error(void);

/* ---- Pools ---- */

typedef struct lyo_pool lyo_pool;

enum {
    /* Callers of lyo_run sleep while a worker runs their task: all workers have threads. Else the caller is worker 0 meanwhile, if no
     * other caller is. */
    LYO_CALLERS_SLEEP = 1,
    /* Thieves never take tasks from a worker that neither spawns nor syncs. */
    LYO_NO_EXPOSING = 2
};

/* Set `size` to sizeof(lyo_options) and all else to 0 for the defaults. */
typedef struct lyo_options {
    size_t size;
    /* 0: one for each processor that the process may use, or what LYOCELL_WORKERS says. */
    size_t workers;
    /* Tasks that the array of a worker has room for; 0: the default. */
    size_t deque_capacity;
    /* Bytes of a worker's stack; 0: the default. */
    size_t stack_size;
    /* How long a worker searches before it sleeps, in nanoseconds; 0: the default. */
    uint64_t search_time_ns;
    uint64_t flags;
} lyo_options;

int lyo_pool_new_for(lyo_pool **pool, const lyo_options *options, const lyo_layout_t *layout);

/* Builds a pool. `options` may be null. */
LYO_INLINE int lyo_pool_new(lyo_pool **pool, const lyo_options *options)
{
    const lyo_layout_t layout = LYO_LAYOUT;
    return lyo_pool_new_for(pool, options, &layout);
}

/* Frees a pool when what others run on it is over, detached tasks too. From now on it accepts nothing. Of null it does nothing. Within a
 * task of the pool itself, it returns at once and the pool ends when its tasks have. */
void lyo_pool_free(lyo_pool *pool);

/* Runs `task(worker, argument)` on a worker, and returns when it is over. Within a task of this pool it is a plain call. */
int lyo_run(lyo_pool *pool, void (*task)(lyo_worker *, void *), void *argument);

/* The number of workers. */
size_t lyo_workers(const lyo_pool *pool);
/* Whether thieves can take tasks from a worker that neither spawns nor syncs (1), or the system does not let them (0). */
int lyo_exposing(const lyo_pool *pool);
/* The worker that runs the calling task, or null. */
lyo_worker *lyo_current(void);
/* The number of workers of the pool of a worker. */
size_t lyo_workers_beside(const lyo_worker *worker);

/* The number of a worker in its pool, from 0. */
LYO_INLINE size_t lyo_worker_id(const lyo_worker *worker) { return worker->index; }

/* ---- More than a spawn ---- */

/* Calls `body(worker, i, argument)` for each i from `begin` to `end`, in parallel; returns when all are over. */
void lyo_for(lyo_worker *worker, size_t begin, size_t end, void (*body)(lyo_worker *, size_t, void *), void *argument);

/* As lyo_for, with a part at a time: `body(worker, from, to, argument)`, of `grain` indices at most (0: as many as it takes). */
void lyo_for_parts(lyo_worker *worker, size_t begin, size_t end, size_t grain,
                   void (*body)(lyo_worker *, size_t, size_t, void *), void *argument);

typedef struct lyo_scope lyo_scope;

/* Calls `body`, which may spawn any number of tasks in the scope, and returns when all are over. */
void lyo_scope_run(lyo_worker *worker, void (*body)(lyo_worker *, lyo_scope *, void *), void *argument);
/* Spawns a task in a scope, from its body or from a task in it. */
void lyo_scope_spawn(lyo_scope *scope, void (*task)(lyo_worker *, lyo_scope *, void *), void *argument);

/* Has every worker call `body` once, at the same time, with all other tasks set aside, and returns when all have. */
int lyo_together(lyo_worker *worker, void (*body)(lyo_worker *, void *), void *argument);
/* Calls `body` here, with all other tasks set aside: the other workers have no tasks but those that it begets. */
int lyo_newframe(lyo_worker *worker, void (*body)(lyo_worker *, void *), void *argument);
/* Joins in where another worker has called one of these. A worker does so when it searches for tasks, too. */
void lyo_yield_frame(lyo_worker *worker);

/* Spawns a task that nobody waits for. It is over before the pool is freed. */
int lyo_spawn_detached(lyo_pool *pool, void (*task)(lyo_worker *, void *), void *argument);

typedef struct lyo_handle lyo_handle;

/* Spawns a task that somebody waits for later, by lyo_handle_wait. */
int lyo_spawn_handle(lyo_pool *pool, lyo_handle **handle, void (*task)(lyo_worker *, void *), void *argument);
/* 1 if the task is over. */
int lyo_handle_is_over(const lyo_handle *handle);
/* Waits until the task is over, and frees the handle. A worker runs other tasks meanwhile. */
void lyo_handle_wait(lyo_handle *handle);
/* Frees the handle of a task that nobody waits for after all. */
void lyo_handle_free(lyo_handle *handle);

/* ---- Spawn and sync ---- */

/* What is not fast. A spawn returns where the task is; a sync where its result is, or null if the task is the caller's to run. */
lyo_slot *lyo_spawn_slow(lyo_worker *worker, lyo_slot *slot);
void *lyo_sync_slow(lyo_worker *worker, lyo_slot *slot);

/* The head is read by others, and the limits are written by others. The order that they rely on: what a task is comes before the head that
 * is above it, and the limit is read after the head has been moved.
 *
 * Processors that keep stores in order need no instruction for it; the compiler has to be told, and no more than that, so that it keeps the
 * head in a register from a spawn to the sync where no call is between: a head that is stored and loaded again is what a leaf costs most.
 * Elsewhere, and for thread sanitizers, they are atomic. */
#if defined(__SANITIZE_THREAD__)
#define LYO_SANITIZED_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LYO_SANITIZED_THREADS 1
#endif
#endif
#if (defined(__x86_64__) || defined(__i386__)) && !defined(LYO_SANITIZED_THREADS)
#define LYO_STORES_IN_ORDER 1
#endif

/* The slot that the next spawn writes. */
LYO_INLINE lyo_slot *lyo_head(const lyo_worker *w)
{
#ifdef LYO_STORES_IN_ORDER
    return w->head;
#else
    return __atomic_load_n(&w->head, __ATOMIC_RELAXED);
#endif
}

/* Moves the head. What is read by way of the pointer that it returns is read afterwards: for the compiler, it depends on the head in
 * memory. */
LYO_INLINE const lyo_worker *lyo_move_head(lyo_worker *w, lyo_slot *to)
{
#ifdef LYO_STORES_IN_ORDER
    const lyo_worker *after = w;
    w->head = to;
    __asm__ volatile("" : "+r"(after) : "m"(w->head));
    return after;
#else
    __atomic_store_n(&w->head, to, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return w;
#endif
}

LYO_INLINE uintptr_t lyo_limit(const uintptr_t *limit)
{
#ifdef LYO_STORES_IN_ORDER
    return *limit;
#else
    return __atomic_load_n(limit, __ATOMIC_RELAXED);
#endif
}

/* The slow end of a spawn, out of line. clang keeps what a task has in the registers that calls change, if this one changes none: then a task
 * whose beginning is its end (`if (n < 2) return n;`) saves no register. */
#if defined(__clang__) && defined(__x86_64__) && __has_attribute(preserve_most)
#define LYO_PRESERVES __attribute__((preserve_most))
#else
#define LYO_PRESERVES
#endif
LYO_COLD LYO_PRESERVES void lyo_spawn_out_of_line(lyo_worker *w, lyo_slot *slot, lyo_slot **task) { *task = lyo_spawn_slow(w, slot); }

/* Makes what has been written to the slot at the head a task. */
LYO_INLINE lyo_slot *lyo_push(lyo_worker *w, lyo_slot *slot)
{
    lyo_slot *task = slot, *head = slot + 1;
    /* Whatever the task reads is in memory before it is one. */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    const lyo_worker *after = lyo_move_head(w, head);
    if (__builtin_expect((uintptr_t)head >= lyo_limit(&after->push_limit), 0)) {
        lyo_slot *elsewhere;
        lyo_spawn_out_of_line(w, slot, &elsewhere);
        task = elsewhere;
        head = lyo_head(w);
    }
#ifdef LYO_STORES_IN_ORDER
    /* It is there already. But the call above may have changed it, for all that the compiler knows, so it would load the head where there
     * was no call either: this store costs less than that load. */
    w->head = head;
#else
    (void)head;
#endif
    return task;
}

/* Takes the newest task, in `slot`, back: 1 if it is simply the caller's; else lyo_sync_slow tells. What the compiler reads of the task
 * before it knows is not used if it is not the caller's; it writes nothing before, since lyo_sync_slow could see it. */
LYO_INLINE int lyo_pop(lyo_worker *w, lyo_slot *slot)
{
    const lyo_worker *after = lyo_move_head(w, slot);
    return __builtin_expect((uintptr_t)slot >= lyo_limit(&after->pop_limit), 1);
}

/* A payload that is larger than that of a slot is outside of it. */
LYO_COLD void *lyo_outside_new(size_t size)
{
    void *outside = malloc(size);
    if (outside) return outside;
    fputs("lyocell: there is no memory for the arguments of a task\n", stderr);
    abort();
}

/* Where the arguments of a new task are put. */
LYO_INLINE void *lyo_arguments_new(lyo_slot *slot, size_t size)
{
    if (size <= sizeof slot->payload) return slot->payload;
    void *outside = lyo_outside_new(size);
    memcpy(slot->payload, &outside, sizeof outside);
    return outside;
}

/* Where the arguments of a task are: in its slot; else they are moved to `place`, once. */
LYO_INLINE void *lyo_arguments_take(lyo_slot *slot, void *place, size_t size)
{
    void *outside;
    if (size <= sizeof slot->payload) return slot->payload;
    memcpy(&outside, slot->payload, sizeof outside);
    memcpy(place, outside, size);
    free(outside);
    return place;
}

/* Syncs the newest task, which is not wanted any more: it is not run if nobody has taken it. */
LYO_INLINE void lyo_drop(lyo_worker *w)
{
    lyo_slot *slot = lyo_head(w) - 1;
    if (lyo_pop(w, slot) || !lyo_sync_slow(w, slot)) slot->run(slot, NULL);
}

/* Whether a spawned task that has not been synced has been taken by a thief, and whether it is over. */
LYO_INLINE int lyo_is_stolen(const lyo_slot *task) { return __atomic_load_n(&task->state, __ATOMIC_ACQUIRE) != 0; }
LYO_INLINE int lyo_is_over(const lyo_slot *task) { return (__atomic_load_n(&task->state, __ATOMIC_ACQUIRE) & 3) != 0; }

#ifdef __cplusplus
}
#endif

#include "lyocell/tasks.h"

#endif
