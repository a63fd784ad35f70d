/* A test is a program that ends with 0, or says which condition does not hold. */
#pragma once
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            _Exit(1);                                                                \
        }                                                                            \
    } while (0)
