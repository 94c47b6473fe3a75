/* Dies in each game: at which message, after how many bytes of its answer, and how, follows from the game's seed. */
#include "polite.h"

#include <signal.h>

enum way { EXIT_0, EXIT_3, SEGMENTATION, KILLED, ABORTED, CLOSES, HALF_CLOSES, WAYS };

static void die(enum way way) {
    static const int signals[] = {[SEGMENTATION] = SIGSEGV, [KILLED] = SIGKILL, [ABORTED] = SIGABRT};
    if (way == EXIT_0 || way == EXIT_3) _exit(way == EXIT_0 ? 0 : 3);
    if (way == CLOSES || way == HALF_CLOSES) {
        close(1);
        if (way == CLOSES) close(0);
        for (;;) pause();
    }
    raise(signals[way]);
}

static unsigned long mixed(const char *text) {
    unsigned long mix = 1469598103934665603UL;
    for (; *text && *text != '"'; text++) mix = (mix ^ (unsigned char)*text) * 1099511628211UL;
    return mix ^ mix >> 29;
}

/* Says the line, or its beginning and then no more. */
static void say(const char *line, long bytes, enum way way) {
    long size = strlen(line);
    if (write(1, line, bytes < size ? bytes : size) < 0 || bytes <= size) die(way);
}

int main(void) {
    static char *line, text[80];
    size_t size = 0;
    unsigned long plan = 0;
    long moment = 0, last, bytes;
    while (getline(&line, &size, stdin) > 0) {
        char *seed = strstr(line, "\"seed\":\"");
        if (strstr(line, "\"type\":\"hello\"") || strstr(line, "\"type\":\"start\"")) plan = mixed(seed + 8);
        last = plan % 14; /* 0: hello, 1: start, 13: end, in between: the questions */
        bytes = plan / 14 % 60;
        enum way way = plan / 840 % WAYS;
        if (strstr(line, "\"type\":\"hello\"")) say("{\"type\":\"ready\"}\n", last == 0 ? bytes % 18 : 1000, way);
        else if (strstr(line, "\"type\":\"start\"")) {
            moment = 1;
            if (last <= 1) die(way);
        } else if (strstr(line, "\"type\":\"decide\"")) {
            snprintf(text, sizeof text, "{\"type\":\"act\",\"id\":%ld,\"choose\":0}\n", atol(strstr(line, "\"id\":") + 5));
            say(text, ++moment == last && last < 13 ? bytes % (strlen(text) + 1) : 1000, way);
        } else if (strstr(line, "\"type\":\"end\"")) die(way);
        else if (strstr(line, "\"type\":\"bye\"")) break;
    }
    return 0;
}
