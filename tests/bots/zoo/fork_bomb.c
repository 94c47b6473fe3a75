/* Forks, and its children fork, until no more can be made; notes how many there were, and plays on. Ends itself at 3000. */
#include "polite.h"

#include <sys/mman.h>

#define MOST 3000

int main(void) {
    char path[] = "/tmp/forks-XXXXXX"; /* anonymous memory is not shared where no control group counts it */
    int file = mkstemp(path);
    if (file < 0 || unlink(path) || ftruncate(file, 4096)) return 1;
    volatile int *forks = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
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
