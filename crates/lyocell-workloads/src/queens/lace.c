/* Queens: a task for every correct board, its array of columns on the stack of its task. */
#include "program.h"

#define MAX_QUEENS 16

/* `Board` and `Safe` of mod.rs. */
typedef struct {
    uint8_t columns[MAX_QUEENS];
    uint32_t rows;
} board_t;

typedef struct {
    uint8_t columns[MAX_QUEENS];
    uint32_t count;
} safe_t;

void lyocell_queens_place(const board_t *board, uint8_t column, board_t *child);
void lyocell_queens_safe_columns(const board_t *board, uint32_t n, safe_t *safe);

TASK(uint64_t, queens, const board_t *, parent, uint32_t, n, uint8_t, column)

static uint64_t expand(lace_worker *worker, const board_t *board, uint32_t n)
{
    if (board->rows == n) return 1;
    safe_t safe;
    lyocell_queens_safe_columns(board, n, &safe);
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
    board_t board;
    lyocell_queens_place(parent, column, &board);
    return expand(worker, &board, n);
}

TASK(uint64_t, queens_root, uint32_t, n)

uint64_t queens_root_CALL(lace_worker *worker, uint32_t n)
{
    board_t empty = {{0}, 0};
    return expand(worker, &empty, n);
}

uint64_t lyocell_lace_queens(uint32_t n)
{
    return queens_root(n);
}
