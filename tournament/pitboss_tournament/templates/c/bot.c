/* A bot in C, with the standard library only. It plays any game of Pitboss, at random.
 *
 * The function to change is choose(), below: it gets a question and returns the index of one of its legal actions.
 * What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
 *
 *     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
 *     pitboss match GAME . house:random     let it play; it is built again whenever a file of this folder has changed
 *
 * Standard output is the wire. Print for yourself to standard error: fprintf(stderr, ...); `pitboss log` shows it. */

#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A piece of a line: one JSON value as it is written there. A string has its quotation marks; nothing is copied, nothing decoded. */
typedef struct {
    const char *at;
    size_t length;
} Text;

/* A question. All that is in it is gone when the next line comes. */
typedef struct {
    long seat;         /* yours, from 0, clockwise */
    Text phase, view;  /* what is to be decided; all that you may know now */
    const Text *legal; /* what you may do: `count` actions */
    size_t count;
    Text message; /* the whole question: field(message, "clock"), field(message, "events") */
} Question;

static Text hello, start; /* of the process, and of the game: field(hello, "options"), field(hello, "seats"), field(start, "players") */

/* What stands ready for choose(). */
Text field(Text object, const char *key);                   /* the value of a key; its length is 0 if there is no such key */
size_t elements(Text list, Text **found, size_t *room);     /* cuts a list into its elements, returns how many there are */
long number(Text value);                                    /* a number as a number */
int is_string(Text value, const char *word);                /* whether a value is the string "word" */
size_t lot(size_t count);                                   /* a random number from 0 to count - 1, the same again for the same seed */

/* Answer a question with an index from 0 to question->count - 1. Write your own bot here. For example, the first action that plays, else the first of all:
 *
 *     for (size_t at = 0; at < question->count; at++)
 *         if (is_string(field(question->legal[at], "do"), "play"))
 *             return at;
 *     return 0; */
static size_t choose(const Question *question) {
    return lot(question->count);
}

/* ---- JSON: as much of it as a bot needs */

static const char *after_string(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at < end ? at + 1 : end;
}

/* Return where the value ends that begins here: before a comma or a bracket that is not its own. */
static const char *after_value(const char *at, const char *end) {
    int depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = after_string(at, end);
            continue;
        }
        if (depth == 0 && (*at == ',' || *at == '}' || *at == ']'))
            break;
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    }
    return at;
}

static const char *after_blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    return at;
}

static Text value_at(const char *at, const char *end) {
    const char *last = after_value(at, end);
    while (last > at && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r' || last[-1] == '\n'))
        last--;
    return (Text){at, (size_t)(last - at)};
}

Text field(Text object, const char *key) {
    const char *end = object.at + object.length, *at = after_blanks(object.at, end);
    size_t length = strlen(key);
    if (at == end || *at != '{')
        return (Text){end, 0};
    at = after_blanks(at + 1, end);
    while (at < end && *at == '"') {
        const char *name = at + 1, *after = after_string(at, end), *value = after_blanks(after, end);
        if (value == end || *value != ':')
            break;
        value = after_blanks(value + 1, end);
        if ((size_t)(after - name) == length + 1 && !memcmp(name, key, length))
            return value_at(value, end);
        at = after_value(value, end);
        at = at < end ? after_blanks(at + 1, end) : end;
    }
    return (Text){end, 0};
}

size_t elements(Text list, Text **found, size_t *room) {
    const char *end = list.at + list.length, *at = list.at;
    size_t count = 0;
    if (list.length == 0 || *at != '[')
        return 0;
    at = after_blanks(at + 1, end);
    while (at < end && *at != ']') {
        if (count == *room) {
            *room = *room ? 2 * *room : 64;
            *found = realloc(*found, *room * sizeof **found);
            if (*found == NULL)
                exit(EXIT_FAILURE);
        }
        (*found)[count++] = value_at(at, end);
        at = after_value(at, end);
        if (at < end && *at == ',')
            at = after_blanks(at + 1, end);
    }
    return count;
}

long number(Text value) {
    return strtol(value.at, NULL, 10); /* a comma or a bracket follows: it ends there */
}

int is_string(Text value, const char *word) {
    size_t length = strlen(word);
    return value.length == length + 2 && value.at[0] == '"' && !memcmp(value.at + 1, word, length);
}

/* ---- luck: splitmix64, begun from the seed of each game */

enum { MAX_TABLES = 256 }; /* the bot may be asked at many tables at once, each with a game of its own */

static struct {
    Text start;
    uint64_t luck;
} tables[MAX_TABLES];
static size_t table; /* of the question: what the bot remembers of a game, it keeps by this number */

static void begin_luck(Text seed) {
    tables[table].luck = 14695981039346656037u;
    for (size_t at = 0; at < seed.length; at++)
        tables[table].luck = (tables[table].luck ^ (unsigned char)seed.at[at]) * 1099511628211u;
}

size_t lot(size_t count) {
    uint64_t drawn = tables[table].luck += 0x9e3779b97f4a7c15u;
    drawn = (drawn ^ (drawn >> 30)) * 0xbf58476d1ce4e5b9u;
    drawn = (drawn ^ (drawn >> 27)) * 0x94d049bb133111ebu;
    return (size_t)((drawn ^ (drawn >> 31)) % count);
}

/* ---- the wire: one JSON object a line; types and fields that are not known here are ignored */

static Text kept(Text old, Text line) {
    char *copy = malloc(line.length + 1);
    if (copy == NULL)
        exit(EXIT_FAILURE);
    memcpy(copy, line.at, line.length);
    copy[line.length] = '\0';
    free((char *)old.at);
    return (Text){copy, line.length};
}

static void get_ready(void) {
    Text offered = field(hello, "tables"); /* the runner offers tables, or does not */
    if (offered.length)
        printf("{\"type\":\"ready\",\"tables\":%ld}\n", number(offered) < MAX_TABLES ? number(offered) : MAX_TABLES);
    else
        puts("{\"type\":\"ready\"}");
}

static void find_table(Text line) {
    Text named = field(line, "table");
    table = named.length ? (size_t)number(named) % MAX_TABLES : 0;
}

static void answer(Text line) {
    static Text *legal;
    static size_t room;
    Text id = field(line, "id");
    Question question = {.seat = number(field(line, "seat")), .phase = field(line, "phase"), .view = field(line, "view"), .message = line};
    question.count = elements(field(line, "legal"), &legal, &room);
    question.legal = legal;
    find_table(line);
    start = tables[table].start;
    printf("{\"type\":\"act\",\"id\":%.*s,", (int)id.length, id.at);
    if (field(line, "table").length)
        printf("\"table\":%zu,", table);
    printf("\"choose\":%zu}\n", choose(&question));
}

int main(void) {
    char *buffer = NULL;
    size_t room = 0;
    ssize_t length;
    setvbuf(stdout, NULL, _IOLBF, 0); /* each line goes out at once: on a pipe it would wait until some thousand bytes have come */
    while ((length = getline(&buffer, &room, stdin)) > 0 && buffer[length - 1] == '\n') {
        Text line = {buffer, (size_t)length - 1};
        Text type = field(line, "type");
        if (is_string(type, "decide")) {
            answer(line);
        } else if (is_string(type, "hello")) {
            hello = kept(hello, line);
            get_ready();
        } else if (is_string(type, "start")) {
            find_table(line);
            tables[table].start = kept(tables[table].start, line);
            begin_luck(field(tables[table].start, "seed"));
        } else if (is_string(type, "bye")) {
            break;
        }
    }
    free(buffer);
    return EXIT_SUCCESS;
}
