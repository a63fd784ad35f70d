/* `Board` and `Safe` of mod.rs, in C: the same algorithm, for the C compiler to inline where it likes. */
#pragma once

#include <stdint.h>

#define MAX_QUEENS 16

typedef struct {
    uint8_t columns[MAX_QUEENS];
    uint32_t rows;
} board_t;

typedef struct {
    uint8_t columns[MAX_QUEENS];
    uint32_t count;
} safe_t;

static const board_t EMPTY = {{0}, 0};

static inline board_t place(const board_t *board, uint8_t column)
{
    board_t child = *board;
    child.columns[child.rows++] = column;
    return child;
}

/* Whether no queen attacks `column` of the next row. */
static inline int is_safe(const board_t *board, uint8_t column)
{
    for (uint32_t row = board->rows, distance = 1; row-- > 0; distance++) {
        uint8_t other = board->columns[row];
        if (other == column || other == column + distance || other + distance == column) return 0;
    }
    return 1;
}

static inline safe_t safe_columns(const board_t *board, uint32_t n)
{
    safe_t safe = {{0}, 0};
    for (uint8_t column = 0; column < n; column++) {
        if (is_safe(board, column)) safe.columns[safe.count++] = column;
    }
    return safe;
}
