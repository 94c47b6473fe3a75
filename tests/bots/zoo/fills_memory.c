/* Takes 1.5 GB of memory when it is asked: for itself (`private`), to share (`shared`), in 15 children (`children`), or
   for itself while a child holds its pipes open (`held`). */
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

/* It returns when each child has taken its part, or is dead: it holds one end of a pipe until then. */
static void fill_children(void) {
    int filling[2];
    char nothing;
    if (pipe(filling) != 0) return;
    for (int child = 0; child < PARTS / 2; child++) {
        if (fork() != 0) continue;
        take(2 * PART, MAP_PRIVATE);
        close(filling[1]);
        for (;;) pause();
    }
    close(filling[1]);
    while (read(filling[0], &nothing, 1) > 0) {}
    close(filling[0]);
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "private";
    long number;
    while ((number = next_question())) {
        if (number == 2 && *way == 'c') fill_children();
        if (number == 2 && *way == 'h' && fork() == 0)
            for (;;) pause();
        for (int part = 0; part < PARTS && number == 2 && *way != 'c'; part++)
            take(PART, *way == 's' ? MAP_SHARED : MAP_PRIVATE);
        if (number == 2) sleep(1); /* whoever watches memory may look now and then */
        answer(number, "took 1.5 GB");
    }
    return 0;
}
