# mawk reads ahead: from a pipe it waits for 4096 bytes before it looks at the first line, unless it is told to be interactive.
# Other awks do not know that option and do not need it. `exec`: the bot is then one process, which ends with its pipe.
case $(awk -W version 2>/dev/null </dev/null) in
mawk*) exec awk -W interactive -f bot.awk ;;
*) exec awk -f bot.awk ;;
esac
