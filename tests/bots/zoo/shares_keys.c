/* Shares keys in its session keyring, and tries other ways around its namespaces: what no sandbox by itself closes. */
#define _GNU_SOURCE
#include "polite.h"

#include <sched.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define SESSION_KEYRING (-3)
#define READ_KEYS 11
#define AF_HOST 40

static char io_uring_parameters[120];

int main(void) {
    char note[100] = "", keys[64];
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    if (syscall(SYS_keyctl, READ_KEYS, SESSION_KEYRING, keys, sizeof keys) >= 0) strcat(note, "read ");
    if (syscall(SYS_add_key, "user", "pitboss-zoo", "x", 1L, SESSION_KEYRING) >= 0) strcat(note, "added ");
    if (syscall(SYS_io_uring_setup, 4, io_uring_parameters) >= 0) strcat(note, "io_uring ");
    if (socket(AF_HOST, SOCK_STREAM, 0) >= 0) strcat(note, "vsock ");
    if (inotify_init() >= 0) strcat(note, "inotify ");
    if (sched_setaffinity(0, sizeof all, &all) >= 0) strcat(note, "processors ");
    for (long number; (number = next_question());) answer(number, *note ? note : "refused");
    return 0;
}
