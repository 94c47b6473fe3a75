/* Holds 600 MB that no process maps: in files (`memfd`), segments (`sysv`), shared pages (`shared`), or `sockets`. */
#define _GNU_SOURCE
#include "polite.h"

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>

#define PART (10L << 20)
#define PARTS 58
#define CHILDREN 28

static char block[1 << 16];

static int fill_file(int file) {
    if (file < 0) return 0;
    for (long done = 0; done < PART; done += sizeof block)
        if (write(file, block, sizeof block) < 0) return 0;
    return 1;
}

static int fill_segment(void) {
    int segment = shmget(IPC_PRIVATE, PART, IPC_CREAT | 0600);
    char *part = segment < 0 ? (void *)-1 : shmat(segment, NULL, 0);
    if (part == (void *)-1) return 0;
    memset(part, 1, PART);
    return shmdt(part) == 0;
}

static int fill_pages(void) {
    char *part = mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (part == MAP_FAILED) return 0;
    memset(part, 1, PART);
    return madvise(part, PART, MADV_DONTNEED) == 0;
}

/* Children fill sockets and keep them. It returns when all have as many as they may have, or are dead: each of them
   holds one end of a pipe until then. */
static void fill_sockets(void) {
    int filling[2];
    char nothing;
    if (pipe(filling) != 0) return;
    for (int child = 0; child < CHILDREN; child++) {
        if (fork() != 0) continue;
        for (int pair[2]; socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0;)
            for (int end = 0; end < 2; end++)
                while (write(pair[end], block, sizeof block) > 0) {}
        close(filling[1]);
        for (;;) pause();
    }
    close(filling[1]);
    while (read(filling[0], &nothing, 1) > 0) {}
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "memfd", *note = "refused";
    long number;
    while ((number = next_question())) {
        if (number == 2 && strcmp(way, "sockets") == 0) fill_sockets();
        for (int part = 0; part < PARTS && number == 2 && strcmp(way, "sockets") != 0; part++) {
            int is_file = strcmp(way, "memfd") == 0, is_segment = strcmp(way, "sysv") == 0;
            if (is_file ? fill_file(memfd_create("part", 0)) : is_segment ? fill_segment() : fill_pages())
                note = "took memory";
        }
        if (number == 2) sleep(1); /* whoever watches memory may look now and then */
        answer(number, note);
    }
    return 0;
}
