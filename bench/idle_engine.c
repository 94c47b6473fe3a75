/* A UCI engine that thinks for no time: it walks with its knights until the game is drawn.
 *   idle_engine REPORT
 * At its end it appends to REPORT: moves, and the seconds of its first `go` and its last `bestmove`. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec + at.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    /* no move gives check, and the cycles of white and black have different lengths */
    static const char *white[] = {"a3c4", "c4e3", "e3g4", "g4e3", "e3c4", "c4a3"};
    static const char *black[] = {"a6c5", "c5e6", "e6c5", "c5a6"};
    static char line[1 << 16];
    long moves = 0, ply = 0;
    double first = 0, last = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "position", 8)) {
            char *at = strstr(line, " moves ");
            ply = 0;
            if (at) for (at += 6; *at; at++) ply += *at == ' ';
        } else if (!strncmp(line, "go", 2)) {
            if (!first) first = now();
            long turn = ply / 2;
            printf("bestmove %s\n", ply % 2 ? (turn ? black[(turn - 1) % 4] : "b8a6") : (turn ? white[(turn - 1) % 6] : "b1a3"));
            fflush(stdout);
            moves++;
            last = now();
        } else if (!strncmp(line, "isready", 7)) { puts("readyok"); fflush(stdout); }
        else if (!strncmp(line, "uci", 3) && line[3] != 'n') { puts("id name idle\nid author pitboss\nuciok"); fflush(stdout); }
        else if (!strncmp(line, "quit", 4)) break;
    }
    FILE *report = argc > 1 ? fopen(argv[1], "a") : NULL;
    if (report) { fprintf(report, "%ld %.6f %.6f\n", moves, first, last); fclose(report); }
    return 0;
}
