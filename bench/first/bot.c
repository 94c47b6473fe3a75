/* The bot that the benchmarks measure the runner with: it chooses the first legal action as fast as can be, and looks at nothing
 * but the id of the question, which the protocol promises to be the second key. `pitboss new bot c` makes one to build upon. */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char decide[] = "{\"type\":\"decide\",\"id\":", hello[] = "{\"type\":\"hello\"", bye[] = "{\"type\":\"bye\"";

int main(void) {
    char *line = NULL;
    size_t room = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (getline(&line, &room, stdin) > 0) {
        if (!strncmp(line, decide, sizeof decide - 1))
            printf("{\"type\":\"act\",\"id\":%ld,\"choose\":0}\n", strtol(line + sizeof decide - 1, NULL, 10));
        else if (!strncmp(line, hello, sizeof hello - 1))
            puts("{\"type\":\"ready\"}");
        else if (!strncmp(line, bye, sizeof bye - 1))
            break;
    }
    free(line);
    return EXIT_SUCCESS;
}
