# Ends with status 3 and a message on standard error when it is asked.
. ./polite.sh

next
echo "I have lost my cards" >&2
exit 3
