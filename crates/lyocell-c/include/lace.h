/* lace.h: programs for Lace, on Lyocell.
 *
 * A program that includes <lace.h> and is compiled with this folder first runs on Lyocell unchanged. It is written from what Lace documents
 * and what its users' programs call; there is no code of Lace's in it. What differs from Lace, all to the better:
 *   - a full array does not end the program: what is spawned then is run at once;
 *   - idle workers sleep, so lace_suspend and lace_resume have nothing to do;
 *   - tasks of a worker that neither spawns nor syncs for long are taken by others;
 *   - lace_start counts the processors that the process may use, and what its control group lets it have.
 *
 * Two interfaces, by which macros a program uses:
 *
 *   2.3         TASK(R, name, T1, a1, …)        then  R name_CALL(lace_worker *, T1 a1, …) { … }
 *               name_SPAWN(worker, …)  name_SYNC(worker)  name_DROP(worker)  name(…)  name_NEWFRAME(…)  name_TOGETHER(…)
 *   1.3 to 1.6  TASK_n(R, name, T1, a1, …) { … }      VOID_TASK_n, TASK_DECL_n and TASK_IMPL_n
 *               SPAWN(name, …)  SYNC(name)  DROP(name)  CALL(name, …)  RUN(name, …)  RUNEX  NEWFRAME  TOGETHER  WRAP  YIELD_NEWFRAME()
 *
 * In the first versions of 2 the macros of the first interface had the names of the second, TASK_n and VOID_TASK_n, without a body: for
 * such a program define LACE_API as 2 (the CMake option LYOCELL_LACE_API). There are 0 to 14 arguments; if they have more than 48 bytes
 * together, a spawn allocates memory for them. lace14.h and the scratch arena are not here.
 *
 * In 1.x each call has the head of the deque as a parameter. It is accepted and not used. */
#ifndef LYOCELL_LACE_H
#define LYOCELL_LACE_H
#pragma GCC system_header

/* Programs for Lace have these from it. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __cplusplus
#include <atomic>
#else
#include <stdatomic.h>
#endif

#include "lyocell.h"

#ifndef LACE_API
#define LACE_API 1
#endif

typedef lyo_worker lace_worker, WorkerP, Worker;
typedef lyo_slot lace_task, Task;

#define LACE_TASKSIZE 6
/* The bytes of a cache line, to which programs align what is their own. */
#ifndef LINE_SIZE
#define LINE_SIZE 64
#endif
#define LACE_UNUSED __attribute__((unused))
#define LACE_INLINE static inline __attribute__((always_inline, unused))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What the library has of it ---- */

/* The frame that workers are to enter, as programs poll it: `t` is null unless there is one. */
#ifdef __cplusplus
typedef struct { lyo_slot *t; char pad[LYO_LINE - sizeof(void *)]; } lyo_lace_newframe_t;
#else
typedef struct { _Atomic(lyo_slot *) t; char pad[LYO_LINE - sizeof(void *)]; } lyo_lace_newframe_t;
#endif
extern lyo_lace_newframe_t lyo_lace_newframe;
#define lace_newframe lyo_lace_newframe
#define lace_newframe_t lyo_lace_newframe_t

void lyo_lace_start(unsigned workers, size_t capacity, size_t stack, const lyo_layout_t *layout);
void lyo_lace_stop(void);
unsigned lyo_lace_workers(void);
unsigned lyo_lace_processors(void);
void lyo_lace_verbosity(int level);
void lyo_lace_set_stack(size_t bytes);
size_t lyo_lace_get_stack(void);
void lyo_lace_barrier(void);
void lyo_lace_steal_random(lyo_worker *w);
uint64_t lyo_lace_random(lyo_worker *w);
/* A task from anywhere: here if this thread is a worker, else on one. */
void lyo_lace_run(void (*task)(lyo_worker *, void *), void *argument);
void lyo_lace_newframe_run(void (*task)(lyo_worker *, void *), void *argument);
void lyo_lace_together(void (*task)(lyo_worker *, void *), void *argument);

/* ---- Starting and stopping ---- */

#if defined(__cplusplus)
#define LACE_NO_STACK , size_t lyo_stack = 0
LYO_INLINE void lace_start(unsigned workers, size_t capacity LACE_NO_STACK)
{
    const lyo_layout_t layout = LYO_LAYOUT;
    lyo_lace_start(workers, capacity, lyo_stack, &layout);
}
#else
LYO_INLINE void lyo_lace_start_here(unsigned workers, size_t capacity, size_t stack)
{
    const lyo_layout_t layout = LYO_LAYOUT;
    lyo_lace_start(workers, capacity, stack, &layout);
}
/* 1.x has two parameters, 2.x three. */
#define LYO_LACE_START_2(workers, capacity) lyo_lace_start_here(workers, capacity, 0)
#define LYO_LACE_START_3(workers, capacity, stack) lyo_lace_start_here(workers, capacity, stack)
#define lace_start(...) LYO_CAT(LYO_LACE_START_, LYO_COUNT(__VA_ARGS__))(__VA_ARGS__)
#endif
LYO_INLINE void lace_stop(void) { lyo_lace_stop(); }
LYO_INLINE void lace_suspend(void) {}
LYO_INLINE void lace_resume(void) {}
LYO_INLINE int lace_is_running(void) { return lyo_lace_workers() != 0; }
LYO_INLINE void lace_set_verbosity(int level) { lyo_lace_verbosity(level); }
LYO_INLINE void lace_set_stacksize(size_t bytes) { lyo_lace_set_stack(bytes); }
LYO_INLINE size_t lace_get_stacksize(void) { return lyo_lace_get_stack(); }
LYO_INLINE unsigned lace_get_pu_count(void) { return lyo_lace_processors(); }
LYO_INLINE unsigned lace_workers(void) { return lyo_lace_workers(); }
LYO_INLINE unsigned lace_worker_count(void) { return lyo_lace_workers(); }

/* ---- This worker ---- */

LYO_INLINE lyo_worker *lace_get_worker(void) { return lyo_current(); }
LYO_INLINE int lace_is_worker(void) { return lyo_current() != NULL; }
LYO_INLINE int lace_worker_id(void) { lyo_worker *w = lyo_current(); return w ? (int)w->index : -1; }
LYO_INLINE void lace_barrier(void) { lyo_lace_barrier(); }
LYO_INLINE uint64_t lace_rng(lyo_worker *w) { return lyo_lace_random(w); }
LYO_INLINE void lace_make_all_shared(void) {}
#define LACE_MAKE_ALL_SHARED() ((void)0)

/* ---- Tasks that have been spawned ---- */

LYO_INLINE int lace_is_stolen_task(const lyo_slot *t) { return lyo_is_stolen(t); }
LYO_INLINE int lace_is_completed_task(const lyo_slot *t) { return lyo_is_over(t); }
LYO_INLINE void *lace_task_result(lyo_slot *t) { return t->d; }
#define TASK_IS_STOLEN(t) lyo_is_stolen(t)
#define TASK_IS_COMPLETED(t) lyo_is_over(t)
#define TASK_RESULT(t) ((void *)(t)->d)

/* In 1.x with the head, in 2.x without. */
#define lace_drop(w, ...) lyo_drop(w)
#define lace_steal_random(w, ...) lyo_lace_steal_random(w)
#define lace_yield(w, ...) lyo_yield_frame(w)

/* ---- Frames ---- */

LYO_INLINE int lyo_lace_frame_waits(void)
{
    return __builtin_expect(__atomic_load_n((lyo_slot **)(void *)&lyo_lace_newframe.t, __ATOMIC_RELAXED) != NULL, 0);
}
LYO_INLINE int lace_check_yield(lyo_worker *w)
{
    if (!lyo_lace_frame_waits()) return 0;
    lyo_yield_frame(w);
    return 1;
}

/* ---- Counts, which are those of the command line `lyocell` ---- */

LYO_INLINE void lace_count_reset(void) {}
LYO_INLINE void lace_count_report_file(FILE *file) { (void)file; }
LYO_INLINE void lace_count_report(void) {}

/* ---- Macros on macros ---- */

#define LYO_CAT(a, b) LYO_CAT_(a, b)
#define LYO_CAT_(a, b) a##b
#define LYO_COUNT(...) LYO_31ST(__VA_ARGS__, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define LYO_31ST(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, count, ...) count
/* VOID if the type R is void, else VALUE. */
#define LYO_KIND(R) LYO_SECOND(LYO_IS_VOID_##R (), VALUE, ~)
#define LYO_SECOND(...) LYO_SECOND_(__VA_ARGS__)
#define LYO_SECOND_(a, b, ...) b
#define LYO_IS_VOID_void LYO_VOID_PROBE
#define LYO_VOID_PROBE() ~, VOID
#define LYO_CORE_OF(...) LYO_CORE(__VA_ARGS__)
#define LYO_BODY_IN_SLOT_OF(...) LYO_BODY_IN_SLOT(__VA_ARGS__)
#define LYO_ENTER_OF(...) LYO_ENTER(__VA_ARGS__)

/* The names of 2.x, and those of 1.x, where the head is a parameter and what a thief runs is declared and defined apart. */
#define LYO_CALL_lace2(NAME) NAME##_CALL
#define LYO_SPAWN_lace2(NAME) NAME##_SPAWN
#define LYO_SYNC_lace2(NAME) NAME##_SYNC
#define LYO_DROP_lace2(NAME) NAME##_DROP
#define LYO_HEAD_PARAM_lace2
#define LYO_HEAD_PASS_lace2
#define LYO_IN_SLOT_lace2(NAME) static LACE_UNUSED uint32_t NAME##_in_slot(lyo_slot *s, lyo_worker *w) LYO_NOEXCEPT
#define LYO_CALL_lace1(NAME) NAME##_CALL
#define LYO_SPAWN_lace1(NAME) NAME##_SPAWN
#define LYO_SYNC_lace1(NAME) NAME##_SYNC
#define LYO_DROP_lace1(NAME) NAME##_DROP
#define LYO_HEAD_PARAM_lace1 , lyo_slot *lyo_unused LACE_UNUSED
#define LYO_HEAD_PASS_lace1 , NULL
#define LYO_IN_SLOT_lace1(NAME) uint32_t NAME##_in_slot(lyo_slot *s, lyo_worker *w) LYO_NOEXCEPT

/* Tasks from outside, and in frames. */
#define LYO_RETURN_VALUE(R, f) return (f).result
#define LYO_RETURN_VOID(R, f) return
#define LYO_RESULT_VALUE(R) R result;
#define LYO_RESULT_VOID(R)
#define LYO_SET_VALUE(f, call) (f)->result = call
#define LYO_SET_VOID(f, call) call
#define LYO_ENTER(API, KIND, N, R, NAME, ...)                                                                                  \
    typedef struct { LYO_FIELDS_##N(__VA_ARGS__) LYO_RESULT_##KIND(R) } NAME##_lyo_entry;                                      \
    static LACE_UNUSED void NAME##_lyo_enter(lyo_worker *w, void *entry)                                                       \
    {                                                                                                                          \
        NAME##_lyo_entry *p = (NAME##_lyo_entry *)entry;                                                                       \
        (void)p;                                                                                                               \
        LYO_SET_##KIND(p, LYO_CALL_##API(NAME)(w LYO_HEAD_PASS_##API LYO_PASS_##N(p)));                                        \
    }                                                                                                                          \
    static LACE_UNUSED void NAME##_lyo_each(lyo_worker *w, void *entry)                                                        \
    {                                                                                                                          \
        NAME##_lyo_entry *p = (NAME##_lyo_entry *)entry;                                                                       \
        (void)p;                                                                                                               \
        (void)LYO_CALL_##API(NAME)(w LYO_HEAD_PASS_##API LYO_PASS_##N(p));                                                     \
    }                                                                                                                          \
    static inline LACE_UNUSED R LYO_RUN_##API(NAME)(LYO_PLAIN_##N(__VA_ARGS__))                                                \
    {                                                                                                                          \
        NAME##_lyo_entry f;                                                                                                    \
        LYO_STORE_##N(&f)                                                                                                      \
        lyo_lace_run(NAME##_lyo_enter, &f);                                                                                    \
        LYO_RETURN_##KIND(R, f);                                                                                               \
    }                                                                                                                          \
    static inline LACE_UNUSED R NAME##_NEWFRAME(LYO_PLAIN_##N(__VA_ARGS__))                                                    \
    {                                                                                                                          \
        NAME##_lyo_entry f;                                                                                                    \
        LYO_STORE_##N(&f)                                                                                                      \
        lyo_lace_newframe_run(NAME##_lyo_enter, &f);                                                                           \
        LYO_RETURN_##KIND(R, f);                                                                                               \
    }                                                                                                                          \
    static inline LACE_UNUSED void NAME##_TOGETHER(LYO_PLAIN_##N(__VA_ARGS__))                                                 \
    {                                                                                                                          \
        NAME##_lyo_entry f;                                                                                                    \
        LYO_STORE_##N(&f)                                                                                                      \
        lyo_lace_together(NAME##_lyo_each, &f);                                                                                \
    }
#define LYO_RUN_lace2(NAME) NAME
#define LYO_RUN_lace1(NAME) NAME##_RUN

/* ---- The interface of 2.3 ---- */

/* TASK(f) of 1.x is the function of a task; with more arguments it is a declaration. */
#define TASK(...) LYO_CAT(LYO_LACE_TASK_, LYO_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define LYO_LACE_TASK_1(NAME) NAME##_CALL
#define LYO_LACE_TASK_2(R, NAME) LYO_LACE2(LYO_KIND(R), 0, R, NAME, )
#define LYO_LACE_TASK_4(R, NAME, T1, A1) LYO_LACE2(LYO_KIND(R), 1, R, NAME, T1)
#define LYO_LACE_TASK_6(R, NAME, T1, A1, T2, A2) LYO_LACE2(LYO_KIND(R), 2, R, NAME, T1, T2)
#define LYO_LACE_TASK_8(R, NAME, T1, A1, T2, A2, T3, A3) LYO_LACE2(LYO_KIND(R), 3, R, NAME, T1, T2, T3)
#define LYO_LACE_TASK_10(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4) LYO_LACE2(LYO_KIND(R), 4, R, NAME, T1, T2, T3, T4)
#define LYO_LACE_TASK_12(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5) LYO_LACE2(LYO_KIND(R), 5, R, NAME, T1, T2, T3, T4, T5)
#define LYO_LACE_TASK_14(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6) LYO_LACE2(LYO_KIND(R), 6, R, NAME, T1, T2, T3, T4, T5, T6)
#define LYO_LACE_TASK_16(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7) LYO_LACE2(LYO_KIND(R), 7, R, NAME, T1, T2, T3, T4, T5, T6, T7)
#define LYO_LACE_TASK_18(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8) LYO_LACE2(LYO_KIND(R), 8, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8)
#define LYO_LACE_TASK_20(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9) LYO_LACE2(LYO_KIND(R), 9, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9)
#define LYO_LACE_TASK_22(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10) LYO_LACE2(LYO_KIND(R), 10, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)
#define LYO_LACE_TASK_24(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11) LYO_LACE2(LYO_KIND(R), 11, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)
#define LYO_LACE_TASK_26(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12) LYO_LACE2(LYO_KIND(R), 12, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)
#define LYO_LACE_TASK_28(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13) LYO_LACE2(LYO_KIND(R), 13, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)
#define LYO_LACE_TASK_30(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14) LYO_LACE2(LYO_KIND(R), 14, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)
#define LYO_LACE2(KIND, N, R, NAME, ...)                                                                                       \
    LYO_CORE_OF(lace2, KIND, N, R, NAME, __VA_ARGS__)                                                                          \
    LYO_BODY_IN_SLOT_OF(lace2, KIND, N, R, NAME)                                                                               \
    LYO_ENTER_OF(lace2, KIND, N, R, NAME, __VA_ARGS__)

#if LACE_API == 2
#define TASK_0(R, NAME) LYO_LACE2(VALUE, 0, R, NAME, )
#define VOID_TASK_0(NAME) LYO_LACE2(VOID, 0, void, NAME, )
#define TASK_1(R, NAME, T1, A1) LYO_LACE2(VALUE, 1, R, NAME, T1)
#define VOID_TASK_1(NAME, T1, A1) LYO_LACE2(VOID, 1, void, NAME, T1)
#define TASK_2(R, NAME, T1, A1, T2, A2) LYO_LACE2(VALUE, 2, R, NAME, T1, T2)
#define VOID_TASK_2(NAME, T1, A1, T2, A2) LYO_LACE2(VOID, 2, void, NAME, T1, T2)
#define TASK_3(R, NAME, T1, A1, T2, A2, T3, A3) LYO_LACE2(VALUE, 3, R, NAME, T1, T2, T3)
#define VOID_TASK_3(NAME, T1, A1, T2, A2, T3, A3) LYO_LACE2(VOID, 3, void, NAME, T1, T2, T3)
#define TASK_4(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4) LYO_LACE2(VALUE, 4, R, NAME, T1, T2, T3, T4)
#define VOID_TASK_4(NAME, T1, A1, T2, A2, T3, A3, T4, A4) LYO_LACE2(VOID, 4, void, NAME, T1, T2, T3, T4)
#define TASK_5(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5) LYO_LACE2(VALUE, 5, R, NAME, T1, T2, T3, T4, T5)
#define VOID_TASK_5(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5) LYO_LACE2(VOID, 5, void, NAME, T1, T2, T3, T4, T5)
#define TASK_6(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6) LYO_LACE2(VALUE, 6, R, NAME, T1, T2, T3, T4, T5, T6)
#define VOID_TASK_6(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6) LYO_LACE2(VOID, 6, void, NAME, T1, T2, T3, T4, T5, T6)
#define TASK_7(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7) LYO_LACE2(VALUE, 7, R, NAME, T1, T2, T3, T4, T5, T6, T7)
#define VOID_TASK_7(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7) LYO_LACE2(VOID, 7, void, NAME, T1, T2, T3, T4, T5, T6, T7)
#define TASK_8(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8) LYO_LACE2(VALUE, 8, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8)
#define VOID_TASK_8(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8) LYO_LACE2(VOID, 8, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8)
#define TASK_9(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9) LYO_LACE2(VALUE, 9, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9)
#define VOID_TASK_9(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9) LYO_LACE2(VOID, 9, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9)
#define TASK_10(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10) LYO_LACE2(VALUE, 10, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)
#define VOID_TASK_10(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10) LYO_LACE2(VOID, 10, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)
#define TASK_11(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11) LYO_LACE2(VALUE, 11, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)
#define VOID_TASK_11(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11) LYO_LACE2(VOID, 11, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)
#define TASK_12(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12) LYO_LACE2(VALUE, 12, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)
#define VOID_TASK_12(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12) LYO_LACE2(VOID, 12, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)
#define TASK_13(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13) LYO_LACE2(VALUE, 13, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)
#define VOID_TASK_13(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13) LYO_LACE2(VOID, 13, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)
#define TASK_14(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14) LYO_LACE2(VALUE, 14, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)
#define VOID_TASK_14(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14) LYO_LACE2(VOID, 14, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)

#else

/* ---- The interface of 1.3 to 1.6 ---- */

#define TASK_DECL_0(R, NAME) LYO_LACE1_DECL(VALUE, 0, R, NAME, )
#define VOID_TASK_DECL_0(NAME) LYO_LACE1_DECL(VOID, 0, void, NAME, )
#define TASK_IMPL_0(R, NAME) LYO_BODY_IN_SLOT(lace1, VALUE, 0, R, NAME) LYO_LACE1_BODY(R, NAME))
#define VOID_TASK_IMPL_0(NAME) LYO_BODY_IN_SLOT(lace1, VOID, 0, void, NAME) LYO_LACE1_BODY(void, NAME))
#define TASK_0(R, NAME) TASK_DECL_0(R, NAME) TASK_IMPL_0(R, NAME)
#define VOID_TASK_0(NAME) VOID_TASK_DECL_0(NAME) VOID_TASK_IMPL_0(NAME)
#define TASK_DECL_1(R, NAME, T1) LYO_LACE1_DECL(VALUE, 1, R, NAME, T1)
#define VOID_TASK_DECL_1(NAME, T1) LYO_LACE1_DECL(VOID, 1, void, NAME, T1)
#define TASK_IMPL_1(R, NAME, T1, A1) LYO_BODY_IN_SLOT(lace1, VALUE, 1, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1)
#define VOID_TASK_IMPL_1(NAME, T1, A1) LYO_BODY_IN_SLOT(lace1, VOID, 1, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1)
#define TASK_1(R, NAME, T1, A1) TASK_DECL_1(R, NAME, T1) TASK_IMPL_1(R, NAME, T1, A1)
#define VOID_TASK_1(NAME, T1, A1) VOID_TASK_DECL_1(NAME, T1) VOID_TASK_IMPL_1(NAME, T1, A1)
#define TASK_DECL_2(R, NAME, T1, T2) LYO_LACE1_DECL(VALUE, 2, R, NAME, T1, T2)
#define VOID_TASK_DECL_2(NAME, T1, T2) LYO_LACE1_DECL(VOID, 2, void, NAME, T1, T2)
#define TASK_IMPL_2(R, NAME, T1, A1, T2, A2) LYO_BODY_IN_SLOT(lace1, VALUE, 2, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2)
#define VOID_TASK_IMPL_2(NAME, T1, A1, T2, A2) LYO_BODY_IN_SLOT(lace1, VOID, 2, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2)
#define TASK_2(R, NAME, T1, A1, T2, A2) TASK_DECL_2(R, NAME, T1, T2) TASK_IMPL_2(R, NAME, T1, A1, T2, A2)
#define VOID_TASK_2(NAME, T1, A1, T2, A2) VOID_TASK_DECL_2(NAME, T1, T2) VOID_TASK_IMPL_2(NAME, T1, A1, T2, A2)
#define TASK_DECL_3(R, NAME, T1, T2, T3) LYO_LACE1_DECL(VALUE, 3, R, NAME, T1, T2, T3)
#define VOID_TASK_DECL_3(NAME, T1, T2, T3) LYO_LACE1_DECL(VOID, 3, void, NAME, T1, T2, T3)
#define TASK_IMPL_3(R, NAME, T1, A1, T2, A2, T3, A3) LYO_BODY_IN_SLOT(lace1, VALUE, 3, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3)
#define VOID_TASK_IMPL_3(NAME, T1, A1, T2, A2, T3, A3) LYO_BODY_IN_SLOT(lace1, VOID, 3, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3)
#define TASK_3(R, NAME, T1, A1, T2, A2, T3, A3) TASK_DECL_3(R, NAME, T1, T2, T3) TASK_IMPL_3(R, NAME, T1, A1, T2, A2, T3, A3)
#define VOID_TASK_3(NAME, T1, A1, T2, A2, T3, A3) VOID_TASK_DECL_3(NAME, T1, T2, T3) VOID_TASK_IMPL_3(NAME, T1, A1, T2, A2, T3, A3)
#define TASK_DECL_4(R, NAME, T1, T2, T3, T4) LYO_LACE1_DECL(VALUE, 4, R, NAME, T1, T2, T3, T4)
#define VOID_TASK_DECL_4(NAME, T1, T2, T3, T4) LYO_LACE1_DECL(VOID, 4, void, NAME, T1, T2, T3, T4)
#define TASK_IMPL_4(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4) LYO_BODY_IN_SLOT(lace1, VALUE, 4, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4)
#define VOID_TASK_IMPL_4(NAME, T1, A1, T2, A2, T3, A3, T4, A4) LYO_BODY_IN_SLOT(lace1, VOID, 4, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4)
#define TASK_4(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4) TASK_DECL_4(R, NAME, T1, T2, T3, T4) TASK_IMPL_4(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4)
#define VOID_TASK_4(NAME, T1, A1, T2, A2, T3, A3, T4, A4) VOID_TASK_DECL_4(NAME, T1, T2, T3, T4) VOID_TASK_IMPL_4(NAME, T1, A1, T2, A2, T3, A3, T4, A4)
#define TASK_DECL_5(R, NAME, T1, T2, T3, T4, T5) LYO_LACE1_DECL(VALUE, 5, R, NAME, T1, T2, T3, T4, T5)
#define VOID_TASK_DECL_5(NAME, T1, T2, T3, T4, T5) LYO_LACE1_DECL(VOID, 5, void, NAME, T1, T2, T3, T4, T5)
#define TASK_IMPL_5(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5) LYO_BODY_IN_SLOT(lace1, VALUE, 5, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5)
#define VOID_TASK_IMPL_5(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5) LYO_BODY_IN_SLOT(lace1, VOID, 5, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5)
#define TASK_5(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5) TASK_DECL_5(R, NAME, T1, T2, T3, T4, T5) TASK_IMPL_5(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5)
#define VOID_TASK_5(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5) VOID_TASK_DECL_5(NAME, T1, T2, T3, T4, T5) VOID_TASK_IMPL_5(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5)
#define TASK_DECL_6(R, NAME, T1, T2, T3, T4, T5, T6) LYO_LACE1_DECL(VALUE, 6, R, NAME, T1, T2, T3, T4, T5, T6)
#define VOID_TASK_DECL_6(NAME, T1, T2, T3, T4, T5, T6) LYO_LACE1_DECL(VOID, 6, void, NAME, T1, T2, T3, T4, T5, T6)
#define TASK_IMPL_6(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6) LYO_BODY_IN_SLOT(lace1, VALUE, 6, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6)
#define VOID_TASK_IMPL_6(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6) LYO_BODY_IN_SLOT(lace1, VOID, 6, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6)
#define TASK_6(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6) TASK_DECL_6(R, NAME, T1, T2, T3, T4, T5, T6) TASK_IMPL_6(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6)
#define VOID_TASK_6(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6) VOID_TASK_DECL_6(NAME, T1, T2, T3, T4, T5, T6) VOID_TASK_IMPL_6(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6)
#define TASK_DECL_7(R, NAME, T1, T2, T3, T4, T5, T6, T7) LYO_LACE1_DECL(VALUE, 7, R, NAME, T1, T2, T3, T4, T5, T6, T7)
#define VOID_TASK_DECL_7(NAME, T1, T2, T3, T4, T5, T6, T7) LYO_LACE1_DECL(VOID, 7, void, NAME, T1, T2, T3, T4, T5, T6, T7)
#define TASK_IMPL_7(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7) LYO_BODY_IN_SLOT(lace1, VALUE, 7, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7)
#define VOID_TASK_IMPL_7(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7) LYO_BODY_IN_SLOT(lace1, VOID, 7, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7)
#define TASK_7(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7) TASK_DECL_7(R, NAME, T1, T2, T3, T4, T5, T6, T7) TASK_IMPL_7(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7)
#define VOID_TASK_7(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7) VOID_TASK_DECL_7(NAME, T1, T2, T3, T4, T5, T6, T7) VOID_TASK_IMPL_7(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7)
#define TASK_DECL_8(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8) LYO_LACE1_DECL(VALUE, 8, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8)
#define VOID_TASK_DECL_8(NAME, T1, T2, T3, T4, T5, T6, T7, T8) LYO_LACE1_DECL(VOID, 8, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8)
#define TASK_IMPL_8(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8) LYO_BODY_IN_SLOT(lace1, VALUE, 8, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8)
#define VOID_TASK_IMPL_8(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8) LYO_BODY_IN_SLOT(lace1, VOID, 8, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8)
#define TASK_8(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8) TASK_DECL_8(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8) TASK_IMPL_8(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8)
#define VOID_TASK_8(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8) VOID_TASK_DECL_8(NAME, T1, T2, T3, T4, T5, T6, T7, T8) VOID_TASK_IMPL_8(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8)
#define TASK_DECL_9(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9) LYO_LACE1_DECL(VALUE, 9, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9)
#define VOID_TASK_DECL_9(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9) LYO_LACE1_DECL(VOID, 9, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9)
#define TASK_IMPL_9(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9) LYO_BODY_IN_SLOT(lace1, VALUE, 9, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9)
#define VOID_TASK_IMPL_9(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9) LYO_BODY_IN_SLOT(lace1, VOID, 9, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9)
#define TASK_9(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9) TASK_DECL_9(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9) TASK_IMPL_9(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9)
#define VOID_TASK_9(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9) VOID_TASK_DECL_9(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9) VOID_TASK_IMPL_9(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9)
#define TASK_DECL_10(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) LYO_LACE1_DECL(VALUE, 10, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)
#define VOID_TASK_DECL_10(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) LYO_LACE1_DECL(VOID, 10, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)
#define TASK_IMPL_10(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10) LYO_BODY_IN_SLOT(lace1, VALUE, 10, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10)
#define VOID_TASK_IMPL_10(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10) LYO_BODY_IN_SLOT(lace1, VOID, 10, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10)
#define TASK_10(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10) TASK_DECL_10(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) TASK_IMPL_10(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10)
#define VOID_TASK_10(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10) VOID_TASK_DECL_10(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) VOID_TASK_IMPL_10(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10)
#define TASK_DECL_11(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) LYO_LACE1_DECL(VALUE, 11, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)
#define VOID_TASK_DECL_11(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) LYO_LACE1_DECL(VOID, 11, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)
#define TASK_IMPL_11(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11) LYO_BODY_IN_SLOT(lace1, VALUE, 11, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10, T11 A11)
#define VOID_TASK_IMPL_11(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11) LYO_BODY_IN_SLOT(lace1, VOID, 11, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10, T11 A11)
#define TASK_11(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11) TASK_DECL_11(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) TASK_IMPL_11(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11)
#define VOID_TASK_11(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11) VOID_TASK_DECL_11(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) VOID_TASK_IMPL_11(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11)
#define TASK_DECL_12(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) LYO_LACE1_DECL(VALUE, 12, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)
#define VOID_TASK_DECL_12(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) LYO_LACE1_DECL(VOID, 12, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)
#define TASK_IMPL_12(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12) LYO_BODY_IN_SLOT(lace1, VALUE, 12, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10, T11 A11, T12 A12)
#define VOID_TASK_IMPL_12(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12) LYO_BODY_IN_SLOT(lace1, VOID, 12, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10, T11 A11, T12 A12)
#define TASK_12(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12) TASK_DECL_12(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) TASK_IMPL_12(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12)
#define VOID_TASK_12(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12) VOID_TASK_DECL_12(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) VOID_TASK_IMPL_12(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12)
#define TASK_DECL_13(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13) LYO_LACE1_DECL(VALUE, 13, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)
#define VOID_TASK_DECL_13(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13) LYO_LACE1_DECL(VOID, 13, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)
#define TASK_IMPL_13(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13) LYO_BODY_IN_SLOT(lace1, VALUE, 13, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10, T11 A11, T12 A12, T13 A13)
#define VOID_TASK_IMPL_13(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13) LYO_BODY_IN_SLOT(lace1, VOID, 13, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10, T11 A11, T12 A12, T13 A13)
#define TASK_13(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13) TASK_DECL_13(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13) TASK_IMPL_13(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13)
#define VOID_TASK_13(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13) VOID_TASK_DECL_13(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13) VOID_TASK_IMPL_13(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13)
#define TASK_DECL_14(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14) LYO_LACE1_DECL(VALUE, 14, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)
#define VOID_TASK_DECL_14(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14) LYO_LACE1_DECL(VOID, 14, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)
#define TASK_IMPL_14(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14) LYO_BODY_IN_SLOT(lace1, VALUE, 14, R, NAME) LYO_LACE1_BODY(R, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10, T11 A11, T12 A12, T13 A13, T14 A14)
#define VOID_TASK_IMPL_14(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14) LYO_BODY_IN_SLOT(lace1, VOID, 14, void, NAME) LYO_LACE1_BODY(void, NAME), T1 A1, T2 A2, T3 A3, T4 A4, T5 A5, T6 A6, T7 A7, T8 A8, T9 A9, T10 A10, T11 A11, T12 A12, T13 A13, T14 A14)
#define TASK_14(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14) TASK_DECL_14(R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14) TASK_IMPL_14(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14)
#define VOID_TASK_14(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14) VOID_TASK_DECL_14(NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14) VOID_TASK_IMPL_14(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14)
#define LYO_LACE1_DECL(KIND, N, R, NAME, ...)                                                                                  \
    LYO_CORE(lace1, KIND, N, R, NAME, __VA_ARGS__)                                                                             \
    LYO_ENTER(lace1, KIND, N, R, NAME, __VA_ARGS__)
/* The head of the definition that the body follows; the parameters and the parenthesis come after. */
#define LYO_LACE1_BODY(R, NAME) R NAME##_CALL(lyo_worker *__lace_worker LACE_UNUSED, lyo_slot *__lace_dq_head LACE_UNUSED

#define WRAP(f, ...) f(__lace_worker, __lace_dq_head, ##__VA_ARGS__)
#define SPAWN(f, ...) f##_SPAWN(__lace_worker, __lace_dq_head, ##__VA_ARGS__)
#define SYNC(f) f##_SYNC(__lace_worker, __lace_dq_head)
#define DROP() lace_drop(__lace_worker, __lace_dq_head)
#define CALL(f, ...) f##_CALL(__lace_worker, __lace_dq_head, ##__VA_ARGS__)
#define RUN(f, ...) f##_RUN(__VA_ARGS__)
#define RUNEX(f, ...) f##_NEWFRAME(__VA_ARGS__)
#define NEWFRAME(f, ...) f##_NEWFRAME(__VA_ARGS__)
#define TOGETHER(f, ...) f##_TOGETHER(__VA_ARGS__)
#define STEAL_RANDOM() lace_steal_random(__lace_worker, __lace_dq_head)
#define YIELD_NEWFRAME() do { if (lyo_lace_frame_waits()) lyo_yield_frame(__lace_worker); } while (0)
#define LACE_ME lyo_worker *__lace_worker LACE_UNUSED = lyo_current(); lyo_slot *__lace_dq_head LACE_UNUSED = NULL
#define LACE_WORKER_ID ((int)__lace_worker->index)
#define LACE_WORKER_PU LACE_WORKER_ID
#define LACE_TRNG lyo_lace_random(__lace_worker)
#define LACE_TYPEDEF_CB(R, f, ...) typedef R (*f)(lyo_worker *, lyo_slot *, ##__VA_ARGS__);

LYO_INLINE lyo_slot *lace_get_head(lyo_worker *w) { return lyo_head(w); }
#endif

#ifdef __cplusplus
}
#endif

#endif
