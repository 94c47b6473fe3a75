/* Writes without end when it is asked, and never a newline. */
#include "polite.h"

int main(void) {
    static char much[65536];
    memset(much, 'x', sizeof much);
    next_question();
    while (write(1, much, sizeof much) > 0) {
    }
    return 0;
}
