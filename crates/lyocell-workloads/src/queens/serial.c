/* Plain recursion. */
#include "board.h"

static uint64_t queens(const board_t *board, uint32_t n)
{
    if (board->rows == n) return 1;
    safe_t safe = safe_columns(board, n);
    uint64_t solutions = 0;
    for (uint32_t i = 0; i < safe.count; i++) {
        board_t child = place(board, safe.columns[i]);
        solutions += queens(&child, n);
    }
    return solutions;
}

uint64_t lyocell_serial_queens(uint32_t n)
{
    return queens(&EMPTY, n);
}
