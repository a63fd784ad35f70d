/* A task that calls what it was given: for programs in Rust with long leaves. */
#include "../lace/program.h"

typedef void (*call_t)(lace_worker *worker, void *data);

TASK(void, forked, call_t, call, void *, data)

void forked_CALL(lace_worker *worker, call_t call, void *data)
{
    call(worker, data);
}

void lyocell_lace_join(lace_worker *worker, call_t a, void *a_data, call_t b, void *b_data)
{
    forked_SPAWN(worker, b, b_data);
    a(worker, a_data);
    forked_SYNC(worker);
}

void lyocell_lace_run(call_t call, void *data)
{
    forked(call, data);
}
