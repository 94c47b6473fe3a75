/* Forks, and its children fork, until no more can be made; notes how many there were, and plays on. Ends itself at 3000. */
#include "polite.h"

#include <sys/mman.h>

#define MOST 3000

int main(void) {
    volatile int *forks = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char note[40];
    long number;
    while ((number = next_question())) {
        if (number == 2) {
            pid_t self = getpid(), child = 0;
            while (*forks < MOST && (child = fork()) >= 0)
                if (child == 0) __sync_fetch_and_add(forks, 1);
            if (getpid() != self) {
                pause();
                _exit(0);
            }
        }
        snprintf(note, sizeof note, "%d forks", *forks);
        answer(number, note);
    }
    return 0;
}
