/* The bot that the benchmarks measure the runner with: it chooses the first legal action as fast as can be, and looks at nothing
 * but the id of the question, which the protocol promises to be the second key. `pitboss new bot c` makes one to build upon.
 *
 * `bot compute MS` uses so many milliseconds of processor time before each answer, `bot wait MS` sleeps so long. */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char decide[] = "{\"type\":\"decide\",\"id\":", hello[] = "{\"type\":\"hello\"", bye[] = "{\"type\":\"bye\"";

static void compute(long ms) {
    clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);
    while (clock() < end)
        ;
}

static void wait_for(long ms) {
    struct timespec rest = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&rest, NULL);
}

int main(int count, char **words) {
    char *line = NULL;
    size_t room = 0;
    long ms = count == 3 ? strtol(words[2], NULL, 10) : 0;
    int computes = ms && !strcmp(words[1], "compute");
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (getline(&line, &room, stdin) > 0) {
        if (!strncmp(line, decide, sizeof decide - 1)) {
            if (ms)
                (computes ? compute : wait_for)(ms);
            printf("{\"type\":\"act\",\"id\":%ld,\"choose\":0}\n", strtol(line + sizeof decide - 1, NULL, 10));
        } else if (!strncmp(line, hello, sizeof hello - 1))
            puts("{\"type\":\"ready\"}");
        else if (!strncmp(line, bye, sizeof bye - 1))
            break;
    }
    free(line);
    return EXIT_SUCCESS;
}
