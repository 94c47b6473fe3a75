/* Follows a pointer into nowhere when it is asked. */
#include "polite.h"

int main(void) {
    volatile int *nowhere = NULL;
    next_question();
    return *nowhere;
}
