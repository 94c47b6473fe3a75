/* Calls itself by another name, as a process and in its arguments, and stays when it is to leave. */
#include "polite.h"

#include <sys/prctl.h>

int main(int count, char **words) {
    long number;
    prctl(PR_SET_NAME, "kworker/0:0", 0, 0, 0);
    for (int word = 0; word < count; word++) memset(words[word], '\0', strlen(words[word]));
    while ((number = next_question())) answer(number, "");
    for (;;) pause();
}
