/* Says on standard error what is wrong, and aborts, when it is asked. */
#include "polite.h"

int main(void) {
    next_question();
    fputs("assertion failed: a hand has cards\n", stderr);
    abort();
}
