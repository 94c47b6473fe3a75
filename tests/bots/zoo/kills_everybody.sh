# Kills its parent, and every process that it may kill, and plays on if it is still there.
. ./polite.sh

while next; do
    kill -KILL $PPID
    kill -KILL -1
    answer
done
