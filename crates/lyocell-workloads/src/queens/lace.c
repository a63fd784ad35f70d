/* Queens: a task for every correct board, its array of columns on the stack of its task. */
#include "../lace/program.h"
#include "board.h"

TASK(uint64_t, queens, const board_t *, parent, uint32_t, n, uint8_t, column)

static uint64_t expand(lace_worker *worker, const board_t *board, uint32_t n)
{
    if (board->rows == n) return 1;
    safe_t safe = safe_columns(board, n);
    for (uint32_t i = 0; i < safe.count; i++) {
        queens_SPAWN(worker, board, n, safe.columns[i]);
    }
    uint64_t solutions = 0;
    for (uint32_t i = 0; i < safe.count; i++) {
        solutions += queens_SYNC(worker);
    }
    return solutions;
}

uint64_t queens_CALL(lace_worker *worker, const board_t *parent, uint32_t n, uint8_t column)
{
    board_t board = place(parent, column);
    return expand(worker, &board, n);
}

TASK(uint64_t, queens_root, uint32_t, n)

uint64_t queens_root_CALL(lace_worker *worker, uint32_t n)
{
    return expand(worker, &EMPTY, n);
}

uint64_t lyocell_lace_queens(uint32_t n)
{
    return queens_root(n);
}
