/* lyocell/tasks.h: the macros that make a spawn and a sync of a function; part of lyocell.h.
 *
 *     LYO_TASK_2(R, name, T1, a1, T2, a2)        a task that returns an R
 *     LYO_VOID_TASK_2(name, T1, a1, T2, a2)      a task that returns nothing
 *
 * declare `R name_call(lyo_worker *, T1 a1, T2 a2)`, which the program defines, and make
 *
 *     lyo_slot *name_spawn(lyo_worker *, T1 a1, T2 a2)
 *     R name_sync(lyo_worker *)                  the newest task: its result, or a call of it if nobody has taken it
 *     void name_drop(lyo_worker *)               the same for a task that is not wanted any more: it is not run if nobody has taken it
 *
 * There are 0 to 14 arguments. If they have more than 48 bytes together, a spawn allocates memory for them, which is freed when the task
 * begins or is dropped. The result has 48 bytes at most. `static LYO_TASK_1(…)` is for a function that is static.
 *
 * The header lace.h is made of the same macros: LYO_CORE writes one task for the interface API, whose names and parameters are in
 * LYO_NAMES_… and LYO_HEAD_…. KIND is VALUE or VOID. */
#ifndef LYOCELL_TASKS_H
#define LYOCELL_TASKS_H
#pragma GCC system_header

#ifdef __cplusplus
#define LYO_NOEXCEPT noexcept
#define LYO_PLAIN_DATA(T, NAME) \
    static_assert(__is_trivially_copyable(T), "the arguments of task " #NAME " are copied as bytes: pass a pointer");
#else
#define LYO_NOEXCEPT
#define LYO_PLAIN_DATA(T, NAME)
#endif

#define LYO_FIELDS_0() char lyo_none;
#define LYO_PARAMS_0()
#define LYO_PLAIN_0() void
#define LYO_PASS_0(p)
#define LYO_STORE_0(p) (void)(p);
#define LYO_FIELDS_1(T1) T1 lyo_1;
#define LYO_PARAMS_1(T1), T1 lyo_1
#define LYO_PLAIN_1(T1) T1 lyo_1
#define LYO_PASS_1(p), (p)->lyo_1
#define LYO_STORE_1(p) (p)->lyo_1 = lyo_1;
#define LYO_FIELDS_2(T1, T2) T1 lyo_1; T2 lyo_2;
#define LYO_PARAMS_2(T1, T2), T1 lyo_1, T2 lyo_2
#define LYO_PLAIN_2(T1, T2) T1 lyo_1, T2 lyo_2
#define LYO_PASS_2(p), (p)->lyo_1, (p)->lyo_2
#define LYO_STORE_2(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2;
#define LYO_FIELDS_3(T1, T2, T3) T1 lyo_1; T2 lyo_2; T3 lyo_3;
#define LYO_PARAMS_3(T1, T2, T3), T1 lyo_1, T2 lyo_2, T3 lyo_3
#define LYO_PLAIN_3(T1, T2, T3) T1 lyo_1, T2 lyo_2, T3 lyo_3
#define LYO_PASS_3(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3
#define LYO_STORE_3(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3;
#define LYO_FIELDS_4(T1, T2, T3, T4) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4;
#define LYO_PARAMS_4(T1, T2, T3, T4), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4
#define LYO_PLAIN_4(T1, T2, T3, T4) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4
#define LYO_PASS_4(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4
#define LYO_STORE_4(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4;
#define LYO_FIELDS_5(T1, T2, T3, T4, T5) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5;
#define LYO_PARAMS_5(T1, T2, T3, T4, T5), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5
#define LYO_PLAIN_5(T1, T2, T3, T4, T5) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5
#define LYO_PASS_5(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5
#define LYO_STORE_5(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5;
#define LYO_FIELDS_6(T1, T2, T3, T4, T5, T6) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5; T6 lyo_6;
#define LYO_PARAMS_6(T1, T2, T3, T4, T5, T6), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6
#define LYO_PLAIN_6(T1, T2, T3, T4, T5, T6) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6
#define LYO_PASS_6(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5, (p)->lyo_6
#define LYO_STORE_6(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5; (p)->lyo_6 = lyo_6;
#define LYO_FIELDS_7(T1, T2, T3, T4, T5, T6, T7) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5; T6 lyo_6; T7 lyo_7;
#define LYO_PARAMS_7(T1, T2, T3, T4, T5, T6, T7), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7
#define LYO_PLAIN_7(T1, T2, T3, T4, T5, T6, T7) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7
#define LYO_PASS_7(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5, (p)->lyo_6, (p)->lyo_7
#define LYO_STORE_7(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5; (p)->lyo_6 = lyo_6; (p)->lyo_7 = lyo_7;
#define LYO_FIELDS_8(T1, T2, T3, T4, T5, T6, T7, T8) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5; T6 lyo_6; T7 lyo_7; T8 lyo_8;
#define LYO_PARAMS_8(T1, T2, T3, T4, T5, T6, T7, T8), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8
#define LYO_PLAIN_8(T1, T2, T3, T4, T5, T6, T7, T8) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8
#define LYO_PASS_8(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5, (p)->lyo_6, (p)->lyo_7, (p)->lyo_8
#define LYO_STORE_8(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5; (p)->lyo_6 = lyo_6; (p)->lyo_7 = lyo_7; (p)->lyo_8 = lyo_8;
#define LYO_FIELDS_9(T1, T2, T3, T4, T5, T6, T7, T8, T9) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5; T6 lyo_6; T7 lyo_7; T8 lyo_8; T9 lyo_9;
#define LYO_PARAMS_9(T1, T2, T3, T4, T5, T6, T7, T8, T9), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9
#define LYO_PLAIN_9(T1, T2, T3, T4, T5, T6, T7, T8, T9) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9
#define LYO_PASS_9(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5, (p)->lyo_6, (p)->lyo_7, (p)->lyo_8, (p)->lyo_9
#define LYO_STORE_9(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5; (p)->lyo_6 = lyo_6; (p)->lyo_7 = lyo_7; (p)->lyo_8 = lyo_8; (p)->lyo_9 = lyo_9;
#define LYO_FIELDS_10(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5; T6 lyo_6; T7 lyo_7; T8 lyo_8; T9 lyo_9; T10 lyo_10;
#define LYO_PARAMS_10(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10
#define LYO_PLAIN_10(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10
#define LYO_PASS_10(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5, (p)->lyo_6, (p)->lyo_7, (p)->lyo_8, (p)->lyo_9, (p)->lyo_10
#define LYO_STORE_10(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5; (p)->lyo_6 = lyo_6; (p)->lyo_7 = lyo_7; (p)->lyo_8 = lyo_8; (p)->lyo_9 = lyo_9; (p)->lyo_10 = lyo_10;
#define LYO_FIELDS_11(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5; T6 lyo_6; T7 lyo_7; T8 lyo_8; T9 lyo_9; T10 lyo_10; T11 lyo_11;
#define LYO_PARAMS_11(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10, T11 lyo_11
#define LYO_PLAIN_11(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10, T11 lyo_11
#define LYO_PASS_11(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5, (p)->lyo_6, (p)->lyo_7, (p)->lyo_8, (p)->lyo_9, (p)->lyo_10, (p)->lyo_11
#define LYO_STORE_11(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5; (p)->lyo_6 = lyo_6; (p)->lyo_7 = lyo_7; (p)->lyo_8 = lyo_8; (p)->lyo_9 = lyo_9; (p)->lyo_10 = lyo_10; (p)->lyo_11 = lyo_11;
#define LYO_FIELDS_12(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5; T6 lyo_6; T7 lyo_7; T8 lyo_8; T9 lyo_9; T10 lyo_10; T11 lyo_11; T12 lyo_12;
#define LYO_PARAMS_12(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10, T11 lyo_11, T12 lyo_12
#define LYO_PLAIN_12(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10, T11 lyo_11, T12 lyo_12
#define LYO_PASS_12(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5, (p)->lyo_6, (p)->lyo_7, (p)->lyo_8, (p)->lyo_9, (p)->lyo_10, (p)->lyo_11, (p)->lyo_12
#define LYO_STORE_12(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5; (p)->lyo_6 = lyo_6; (p)->lyo_7 = lyo_7; (p)->lyo_8 = lyo_8; (p)->lyo_9 = lyo_9; (p)->lyo_10 = lyo_10; (p)->lyo_11 = lyo_11; (p)->lyo_12 = lyo_12;
#define LYO_FIELDS_13(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5; T6 lyo_6; T7 lyo_7; T8 lyo_8; T9 lyo_9; T10 lyo_10; T11 lyo_11; T12 lyo_12; T13 lyo_13;
#define LYO_PARAMS_13(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10, T11 lyo_11, T12 lyo_12, T13 lyo_13
#define LYO_PLAIN_13(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10, T11 lyo_11, T12 lyo_12, T13 lyo_13
#define LYO_PASS_13(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5, (p)->lyo_6, (p)->lyo_7, (p)->lyo_8, (p)->lyo_9, (p)->lyo_10, (p)->lyo_11, (p)->lyo_12, (p)->lyo_13
#define LYO_STORE_13(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5; (p)->lyo_6 = lyo_6; (p)->lyo_7 = lyo_7; (p)->lyo_8 = lyo_8; (p)->lyo_9 = lyo_9; (p)->lyo_10 = lyo_10; (p)->lyo_11 = lyo_11; (p)->lyo_12 = lyo_12; (p)->lyo_13 = lyo_13;
#define LYO_FIELDS_14(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14) T1 lyo_1; T2 lyo_2; T3 lyo_3; T4 lyo_4; T5 lyo_5; T6 lyo_6; T7 lyo_7; T8 lyo_8; T9 lyo_9; T10 lyo_10; T11 lyo_11; T12 lyo_12; T13 lyo_13; T14 lyo_14;
#define LYO_PARAMS_14(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14), T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10, T11 lyo_11, T12 lyo_12, T13 lyo_13, T14 lyo_14
#define LYO_PLAIN_14(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14) T1 lyo_1, T2 lyo_2, T3 lyo_3, T4 lyo_4, T5 lyo_5, T6 lyo_6, T7 lyo_7, T8 lyo_8, T9 lyo_9, T10 lyo_10, T11 lyo_11, T12 lyo_12, T13 lyo_13, T14 lyo_14
#define LYO_PASS_14(p), (p)->lyo_1, (p)->lyo_2, (p)->lyo_3, (p)->lyo_4, (p)->lyo_5, (p)->lyo_6, (p)->lyo_7, (p)->lyo_8, (p)->lyo_9, (p)->lyo_10, (p)->lyo_11, (p)->lyo_12, (p)->lyo_13, (p)->lyo_14
#define LYO_STORE_14(p) (p)->lyo_1 = lyo_1; (p)->lyo_2 = lyo_2; (p)->lyo_3 = lyo_3; (p)->lyo_4 = lyo_4; (p)->lyo_5 = lyo_5; (p)->lyo_6 = lyo_6; (p)->lyo_7 = lyo_7; (p)->lyo_8 = lyo_8; (p)->lyo_9 = lyo_9; (p)->lyo_10 = lyo_10; (p)->lyo_11 = lyo_11; (p)->lyo_12 = lyo_12; (p)->lyo_13 = lyo_13; (p)->lyo_14 = lyo_14;

/* The arguments of a task: in its slot if there is room, else in memory that belongs to whoever takes them out. */
#define LYO_TAKE(NAME, s)                                                                                                      \
    NAME##_lyo_arguments lyo_outside, *p = (NAME##_lyo_arguments *)lyo_arguments_take(s, &lyo_outside, sizeof lyo_outside);    \
    (void)p

/* What is done with a result. */
#define LYO_FITS_VALUE(R, NAME) LYO_STATIC_ASSERT(sizeof(R) <= 48, "the result of task " #NAME " has more than 48 bytes: pass a pointer to it");
#define LYO_FITS_VOID(R, NAME)
#define LYO_KEEP_VALUE(R, place, call) *(R *)(void *)(place) = call
#define LYO_KEEP_VOID(R, place, call) call
#define LYO_KEPT_VALUE(R, place) return *(R *)(void *)(place)
#define LYO_KEPT_VOID(R, place) return
#define LYO_TAIL_VALUE(call) return call
#define LYO_TAIL_VOID(call) call; return

/* The names of the interface of lyocell.h. */
#define LYO_CALL_lyo(NAME) NAME##_call
#define LYO_SPAWN_lyo(NAME) NAME##_spawn
#define LYO_SYNC_lyo(NAME) NAME##_sync
#define LYO_DROP_lyo(NAME) NAME##_drop
#define LYO_HEAD_PARAM_lyo
#define LYO_HEAD_PASS_lyo
#define LYO_IN_SLOT_lyo(NAME) static uint32_t NAME##_in_slot(lyo_slot *s, lyo_worker *w) LYO_NOEXCEPT

/* The declaration of a task: all that the places need that spawn and sync it. */
#define LYO_CORE(API, KIND, N, R, NAME, ...)                                                                                   \
    R LYO_CALL_##API(NAME)(lyo_worker * LYO_HEAD_PARAM_##API LYO_PARAMS_##N(__VA_ARGS__));                                     \
    typedef struct { LYO_FIELDS_##N(__VA_ARGS__) } NAME##_lyo_arguments;                                                       \
    LYO_PLAIN_DATA(NAME##_lyo_arguments, NAME)                                                                                 \
    LYO_FITS_##KIND(R, NAME)                                                                                                   \
    LYO_IN_SLOT_##API(NAME);                                                                                                   \
    LYO_HOT lyo_slot *LYO_SPAWN_##API(NAME)(lyo_worker * w LYO_HEAD_PARAM_##API LYO_PARAMS_##N(__VA_ARGS__))                   \
    {                                                                                                                          \
        lyo_slot *s = lyo_head(w);                                                                                             \
        NAME##_lyo_arguments *p = (NAME##_lyo_arguments *)lyo_arguments_new(s, sizeof *p);                                     \
        s->run = NAME##_in_slot;                                                                                               \
        LYO_STORE_##N(p)                                                                                                       \
        return lyo_push(w, s);                                                                                                 \
    }                                                                                                                          \
    LYO_COLD R NAME##_lyo_sync_slow(lyo_worker *w, lyo_slot *s)                                                                \
    {                                                                                                                          \
        void *result = lyo_sync_slow(w, s);                                                                                    \
        if (result) { LYO_KEPT_##KIND(R, result); }                                                                            \
        LYO_TAKE(NAME, s);                                                                                                     \
        LYO_TAIL_##KIND(LYO_CALL_##API(NAME)(w LYO_HEAD_PASS_##API LYO_PASS_##N(p)));                                          \
    }                                                                                                                          \
    LYO_HOT R LYO_SYNC_##API(NAME)(lyo_worker * w LYO_HEAD_PARAM_##API)                                                        \
    {                                                                                                                          \
        lyo_slot *s = lyo_head(w) - 1;                                                                                         \
        if (lyo_pop(w, s)) {                                                                                                   \
            LYO_TAKE(NAME, s);                                                                                                 \
            LYO_TAIL_##KIND(LYO_CALL_##API(NAME)(w LYO_HEAD_PASS_##API LYO_PASS_##N(p)));                                      \
        }                                                                                                                      \
        LYO_TAIL_##KIND(NAME##_lyo_sync_slow(w, s));                                                                           \
    }                                                                                                                          \
    LYO_INLINE void LYO_DROP_##API(NAME)(lyo_worker * w LYO_HEAD_PARAM_##API) { lyo_drop(w); }

/* What a thief runs; without a worker, what is done with a task that is dropped. */
#define LYO_BODY_IN_SLOT(API, KIND, N, R, NAME)                                                                                \
    LYO_IN_SLOT_##API(NAME)                                                                                                    \
    {                                                                                                                          \
        LYO_TAKE(NAME, s);                                                                                                     \
        NAME##_lyo_arguments in_frame = *p;                                                                                    \
        if (!w) return LYO_DONE;                                                                                               \
        p = &in_frame;                                                                                                         \
        LYO_KEEP_##KIND(R, s->payload, LYO_CALL_##API(NAME)(w LYO_HEAD_PASS_##API LYO_PASS_##N(p)));                           \
        return LYO_DONE;                                                                                                       \
    }

#define LYO_TASK_0(R, NAME) LYO_CORE(lyo, VALUE, 0, R, NAME, ) LYO_BODY_IN_SLOT(lyo, VALUE, 0, R, NAME)
#define LYO_VOID_TASK_0(NAME) LYO_CORE(lyo, VOID, 0, void, NAME, ) LYO_BODY_IN_SLOT(lyo, VOID, 0, void, NAME)
#define LYO_TASK_1(R, NAME, T1, A1) LYO_CORE(lyo, VALUE, 1, R, NAME, T1) LYO_BODY_IN_SLOT(lyo, VALUE, 1, R, NAME)
#define LYO_VOID_TASK_1(NAME, T1, A1) LYO_CORE(lyo, VOID, 1, void, NAME, T1) LYO_BODY_IN_SLOT(lyo, VOID, 1, void, NAME)
#define LYO_TASK_2(R, NAME, T1, A1, T2, A2) LYO_CORE(lyo, VALUE, 2, R, NAME, T1, T2) LYO_BODY_IN_SLOT(lyo, VALUE, 2, R, NAME)
#define LYO_VOID_TASK_2(NAME, T1, A1, T2, A2) LYO_CORE(lyo, VOID, 2, void, NAME, T1, T2) LYO_BODY_IN_SLOT(lyo, VOID, 2, void, NAME)
#define LYO_TASK_3(R, NAME, T1, A1, T2, A2, T3, A3) LYO_CORE(lyo, VALUE, 3, R, NAME, T1, T2, T3) LYO_BODY_IN_SLOT(lyo, VALUE, 3, R, NAME)
#define LYO_VOID_TASK_3(NAME, T1, A1, T2, A2, T3, A3) LYO_CORE(lyo, VOID, 3, void, NAME, T1, T2, T3) LYO_BODY_IN_SLOT(lyo, VOID, 3, void, NAME)
#define LYO_TASK_4(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4) LYO_CORE(lyo, VALUE, 4, R, NAME, T1, T2, T3, T4) LYO_BODY_IN_SLOT(lyo, VALUE, 4, R, NAME)
#define LYO_VOID_TASK_4(NAME, T1, A1, T2, A2, T3, A3, T4, A4) LYO_CORE(lyo, VOID, 4, void, NAME, T1, T2, T3, T4) LYO_BODY_IN_SLOT(lyo, VOID, 4, void, NAME)
#define LYO_TASK_5(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5) LYO_CORE(lyo, VALUE, 5, R, NAME, T1, T2, T3, T4, T5) LYO_BODY_IN_SLOT(lyo, VALUE, 5, R, NAME)
#define LYO_VOID_TASK_5(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5) LYO_CORE(lyo, VOID, 5, void, NAME, T1, T2, T3, T4, T5) LYO_BODY_IN_SLOT(lyo, VOID, 5, void, NAME)
#define LYO_TASK_6(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6) LYO_CORE(lyo, VALUE, 6, R, NAME, T1, T2, T3, T4, T5, T6) LYO_BODY_IN_SLOT(lyo, VALUE, 6, R, NAME)
#define LYO_VOID_TASK_6(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6) LYO_CORE(lyo, VOID, 6, void, NAME, T1, T2, T3, T4, T5, T6) LYO_BODY_IN_SLOT(lyo, VOID, 6, void, NAME)
#define LYO_TASK_7(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7) LYO_CORE(lyo, VALUE, 7, R, NAME, T1, T2, T3, T4, T5, T6, T7) LYO_BODY_IN_SLOT(lyo, VALUE, 7, R, NAME)
#define LYO_VOID_TASK_7(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7) LYO_CORE(lyo, VOID, 7, void, NAME, T1, T2, T3, T4, T5, T6, T7) LYO_BODY_IN_SLOT(lyo, VOID, 7, void, NAME)
#define LYO_TASK_8(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8) LYO_CORE(lyo, VALUE, 8, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8) LYO_BODY_IN_SLOT(lyo, VALUE, 8, R, NAME)
#define LYO_VOID_TASK_8(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8) LYO_CORE(lyo, VOID, 8, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8) LYO_BODY_IN_SLOT(lyo, VOID, 8, void, NAME)
#define LYO_TASK_9(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9) LYO_CORE(lyo, VALUE, 9, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9) LYO_BODY_IN_SLOT(lyo, VALUE, 9, R, NAME)
#define LYO_VOID_TASK_9(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9) LYO_CORE(lyo, VOID, 9, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9) LYO_BODY_IN_SLOT(lyo, VOID, 9, void, NAME)
#define LYO_TASK_10(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10) LYO_CORE(lyo, VALUE, 10, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) LYO_BODY_IN_SLOT(lyo, VALUE, 10, R, NAME)
#define LYO_VOID_TASK_10(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10) LYO_CORE(lyo, VOID, 10, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) LYO_BODY_IN_SLOT(lyo, VOID, 10, void, NAME)
#define LYO_TASK_11(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11) LYO_CORE(lyo, VALUE, 11, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) LYO_BODY_IN_SLOT(lyo, VALUE, 11, R, NAME)
#define LYO_VOID_TASK_11(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11) LYO_CORE(lyo, VOID, 11, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) LYO_BODY_IN_SLOT(lyo, VOID, 11, void, NAME)
#define LYO_TASK_12(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12) LYO_CORE(lyo, VALUE, 12, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) LYO_BODY_IN_SLOT(lyo, VALUE, 12, R, NAME)
#define LYO_VOID_TASK_12(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12) LYO_CORE(lyo, VOID, 12, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) LYO_BODY_IN_SLOT(lyo, VOID, 12, void, NAME)
#define LYO_TASK_13(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13) LYO_CORE(lyo, VALUE, 13, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13) LYO_BODY_IN_SLOT(lyo, VALUE, 13, R, NAME)
#define LYO_VOID_TASK_13(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13) LYO_CORE(lyo, VOID, 13, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13) LYO_BODY_IN_SLOT(lyo, VOID, 13, void, NAME)
#define LYO_TASK_14(R, NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14) LYO_CORE(lyo, VALUE, 14, R, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14) LYO_BODY_IN_SLOT(lyo, VALUE, 14, R, NAME)
#define LYO_VOID_TASK_14(NAME, T1, A1, T2, A2, T3, A3, T4, A4, T5, A5, T6, A6, T7, A7, T8, A8, T9, A9, T10, A10, T11, A11, T12, A12, T13, A13, T14, A14) LYO_CORE(lyo, VOID, 14, void, NAME, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14) LYO_BODY_IN_SLOT(lyo, VOID, 14, void, NAME)

#endif
