/* Plain recursion. gcc inlines some levels of it into each other, which LLVM never does. */
#include <stdint.h>

static uint64_t fib(uint64_t n)
{
    if (n < 2) return n;
    return fib(n - 1) + fib(n - 2);
}

uint64_t lyocell_serial_fib(uint64_t n)
{
    return fib(n);
}
