/* A program for Lace, as its README has it, on Lyocell: only where lace.h is found differs. */
#include <lace.h>
#include <stdio.h>

TASK_1(int, fibonacci, int, n)
{
    if (n < 2) return n;
    SPAWN(fibonacci, n - 1);
    int a = CALL(fibonacci, n - 2);
    int b = SYNC(fibonacci);
    return a + b;
}

int main(void)
{
    lace_start(0, 0);
    int result = RUN(fibonacci, 30);
    lace_stop();
    printf("fibonacci(30) = %d\n", result);
    return result != 832040;
}
