# Stops itself (SIGSTOP) instead of a second answer.
. ./polite.sh

next
answer
next
kill -STOP $$
answer
