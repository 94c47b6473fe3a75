/* The manners of the zoo's bots in C: `while ((number = next_question())) answer(number, "");` */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Greets on the way; returns the number of the next question, 0 after `bye` or at the end. */
static long next_question(void) {
    static char *line;
    static size_t size;
    while (getline(&line, &size, stdin) > 0) {
        if (strstr(line, "\"type\":\"hello\"")) {
            puts("{\"type\":\"ready\"}");
            fflush(stdout);
        }
        if (strstr(line, "\"type\":\"decide\"")) return atol(strstr(line, "\"id\":") + 5);
        if (strstr(line, "\"type\":\"bye\"")) break;
    }
    return 0;
}

static void answer(long number, const char *note) {
    printf("{\"type\":\"act\",\"id\":%ld,\"choose\":0,\"note\":\"%s\"}\n", number, note);
    fflush(stdout);
}
