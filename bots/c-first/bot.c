/* A bot in C, without a JSON library: it plays the first legal action of any game, at once.
 *
 * The function to change is choose(). `field` finds a value in a line; that is all the JSON that a simple bot needs. */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Answer one question with an index into `legal`. The line is the whole `decide` message. Write your own bot here. */
static long choose(const char *line) {
    (void)line;
    return 0;
}

static const char *after_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

static const char *after_blanks(const char *at) {
    return at + strspn(at, " \t\r");
}

/* Return where the value of a key of the outermost object begins, or NULL. What stands in strings and inner objects does not count. */
static const char *field(const char *line, const char *key) {
    size_t length = strlen(key);
    int depth = 0;
    for (const char *at = line; *at;) {
        if (*at == '"') {
            const char *end = after_string(at), *value = after_blanks(end);
            if (depth == 1 && *value == ':' && (size_t)(end - at) == length + 2 && !memcmp(at + 1, key, length))
                return after_blanks(value + 1);
            at = end;
            continue;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    }
    return NULL;
}

static int is_type(const char *type, const char *name) {
    size_t length = strlen(name);
    return !strncmp(type, name, length) && type[length] == '"';
}

static void say(const char *line, size_t length) {
    while (length) {
        ssize_t written = write(STDOUT_FILENO, line, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            exit(EXIT_FAILURE);
        line += written;
        length -= (size_t)written;
    }
}

/* Answer a line of the runner; types and fields that are not known here are ignored. */
static void hear(const char *line) {
    const char *type = field(line, "type"), *id;
    if (!type || *type++ != '"')
        return;
    if (is_type(type, "decide") && (id = field(line, "id"))) {
        char answer[96];
        int length = snprintf(answer, sizeof answer, "{\"type\":\"act\",\"id\":%ld,\"choose\":%ld}\n", strtol(id, NULL, 10), choose(line));
        say(answer, (size_t)length);
    } else if (is_type(type, "hello")) {
        static const char ready[] = "{\"type\":\"ready\",\"name\":\"first-c\",\"version\":\"1\"}\n";
        say(ready, sizeof ready - 1);
    } else if (is_type(type, "bye")) {
        exit(EXIT_SUCCESS);
    }
}

/* Read what there is, hear every whole line, keep the rest; the buffer grows with the longest line. */
int main(void) {
    size_t room = 1 << 16, held = 0;
    char *buffer = malloc(room);
    while (buffer) {
        ssize_t came = read(STDIN_FILENO, buffer + held, room - held);
        if (came < 0 && errno == EINTR)
            continue;
        if (came <= 0)
            return came < 0;
        char *line = buffer, *end, *unread = buffer + held;
        held += (size_t)came;
        while ((end = memchr(unread, '\n', (size_t)(buffer + held - unread)))) {
            *end = '\0';
            hear(line);
            line = unread = end + 1;
        }
        held -= (size_t)(line - buffer);
        memmove(buffer, line, held);
        if (held == room)
            buffer = realloc(buffer, room *= 2);
    }
    return EXIT_FAILURE;
}
