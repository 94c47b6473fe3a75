/* Tries to trace every process that it sees and that is not its own sandbox's first one, and notes whether it could. */
#include "polite.h"

#include <dirent.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static int is_traced(pid_t pid) {
    if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) != 0) return 0;
    waitpid(pid, NULL, __WALL);
    ptrace(PTRACE_DETACH, pid, NULL, NULL);
    return 1;
}

int main(void) {
    const char *note = "refused";
    long number;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        pid_t pid = atoi(entry->d_name);
        if (pid > 1 && pid != getpid() && is_traced(pid)) note = "traced";
    }
    while ((number = next_question())) answer(number, note);
    return 0;
}
