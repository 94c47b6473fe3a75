# Plays, and leaves neither at the end of its input nor for SIGTERM, SIGHUP and SIGINT.
. ./polite.sh

trap '' TERM HUP INT
while next; do
    answer
done
while :; do
    sleep 60
done
