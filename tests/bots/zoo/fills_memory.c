/* Takes 1.5 GB of memory when it is asked: for itself (`private`), to share (`shared`), or in 15 children (`children`). */
#include "polite.h"

#include <sys/mman.h>
#include <sys/wait.h>

#define PART (50L << 20)
#define PARTS 30

static void take(long size, int how) {
    char *part = mmap(NULL, size, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS, -1, 0);
    if (part == MAP_FAILED) {
        fputs("out of memory\n", stderr);
        abort();
    }
    memset(part, 1, size);
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "private";
    long number;
    while ((number = next_question())) {
        for (int part = 0; part < PARTS && number == 2; part++) {
            if (*way != 'c') take(PART, *way == 's' ? MAP_SHARED : MAP_PRIVATE);
            else if (part % 2 == 0 && fork() == 0) {
                take(2 * PART, MAP_PRIVATE);
                pause();
            }
        }
        if (number == 2) sleep(1); /* whoever watches memory may look now and then */
        answer(number, "took 1.5 GB");
    }
    return 0;
}
