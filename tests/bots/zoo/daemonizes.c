/* Leaves a daemon behind: forked twice, in a new session, under another name, with an empty environment, its pipes held.
   The daemon ends by itself after half a minute. */
#include "polite.h"

int main(int count, char **words) {
    char *daemon[] = {"cron", "daemon", NULL}, *nothing[] = {NULL};
    long number;
    if (count > 1 && strcmp(words[1], "daemon") == 0) return sleep(30);
    if (fork() == 0) {
        setsid();
        if (fork() == 0) execve("/proc/self/exe", daemon, nothing);
        _exit(0);
    }
    while ((number = next_question())) answer(number, "");
    return 0;
}
