#!/bin/sh
# Starts the bot with whatever awk there is; write gawk or mawk in its place to choose one.
#
# In the C locale a character is a byte: the same in every awk, and faster by far; names and cards pass through as they are. `exec`: the
# bot is one process, which ends with its pipe. mawk waits for 4096 bytes before it looks at the first line, unless it is told to be
# interactive; other awks do not know that option and do not need it.
export LC_ALL=C
case $(awk -W version 2>/dev/null </dev/null) in
mawk*) exec awk -W interactive -f bot.awk ;;
*) exec awk -f bot.awk ;;
esac
