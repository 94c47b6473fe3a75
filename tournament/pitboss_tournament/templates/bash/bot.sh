#!/usr/bin/env bash
# A bot in bash 4.4 or later. It plays any game of Pitboss, at random. A question of 1 kB takes it some 3 ms, one of 100 kB a second or more.
#
# The function to change is `choose`, below: it sets CHOICE to the index of one of the legal actions.
# What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
#
#     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
#     pitboss match GAME . house:random     let it play
#
# Standard output is the wire, but `echo` is safe: it goes to standard error here; `pitboss log` shows it.
#
# shellcheck disable=SC2034,SC2317 # some of what is there for `choose` is not used yet

export LC_ALL=C # a character is a byte: faster by far, and names and cards pass through as they are
set -f          # a * in a string does not stand for names of files
exec 3>&1 1>&2  # the wire is 3

declare -A HELLO=() START=() QUESTION=() # the last messages of these types: a key, and its value as JSON
declare -a LEGAL=()                      # the legal actions, as JSON

# Answer a question: set CHOICE to an index into LEGAL. Write your own bot here.
#
# QUESTION has seat (yours, from 0, clockwise), phase (what is to be decided), view (all that you may know now) and clock (the time
# left); HELLO has game, options, seats and clock; START has players and seed. `field NAME JSON KEY` sets a variable to the value of
# a key of an object, `unpack NAME JSON` an array to all values of an array or an object. For example, the first action that plays, else the first of all:
#
#     local at does
#     for at in "${!LEGAL[@]}"; do
#         field does "${LEGAL[at]}" do
#         if [[ $does == '"play"' ]]; then CHOICE=$at; return; fi
#     done
#     CHOICE=0
#
# RANDOM is begun from the seed of each game, so that the same game can be played again; but not in $(…), which is another process.
choose() {
    CHOICE=$(((RANDOM << 15 | RANDOM) % ${#LEGAL[@]}))
}

# ---- JSON: values are kept as they are written, and opened where they are needed

# unpack NAME JSON: put the values of an array into the array NAME, or those of an object into the associative array NAME
# (`declare -A view; unpack view "${QUESTION[view]}"`). A text that is not whole has none.
#
# Cut at the quotation marks, every other piece stands outside of strings. Of such a piece only the brackets count, and outside of
# all inner brackets the commas and colons.
unpack() {
    local -n _values=$1
    local _json=$2 _pieces _piece _rest _sign _key='' IFS='"'
    local -i _at=0 _here=0 _from=0 _depth=0 _quoted=0 _count=0
    _values=()
    # shellcheck disable=SC2206 # it shall be split
    _pieces=($_json)
    for _piece in "${_pieces[@]}"; do
        if ((_quoted)); then
            [[ $_piece == *\\ ]] && _ends_escaped "$_piece" || _quoted=0
        else
            _rest=$_piece
            while [[ $_rest == *[][{}]* ]] || { ((_depth == 1)) && [[ $_rest == *[,:]* ]]; }; do
                if ((_depth == 1)); then _sign=${_rest%%[][\{\},:]*}; else _sign=${_rest%%[][\{\}]*}; fi
                _rest=${_rest:${#_sign}}
                _here=$((_at + ${#_piece} - ${#_rest}))
                case ${_rest:0:1} in
                '[' | '{') ((_depth++)) || _from=$((_here + 1)) ;;
                ']' | '}') ((--_depth)) || _keep "${_json:_from:_here-_from}" ;;
                ',') _keep "${_json:_from:_here-_from}" && _from=$((_here + 1)) ;;
                ':') plain _key "${_json:_from:_here-_from}" && _from=$((_here + 1)) ;;
                esac
                _rest=${_rest:1}
            done
            _quoted=1
        fi
        _at+=$((${#_piece} + 1))
    done
    ((_depth == 0)) || _values=()
}

# Put a value where `unpack`, which calls this, collects them.
_keep() {
    local _value=$1
    _trim _value
    [[ -z $_value ]] || _values[${_key:-$_count}]=$_value
    _count+=1
}

_trim() {
    local -n _trimmed=$1
    while [[ $_trimmed == [$' \t\r']* ]]; do _trimmed=${_trimmed:1}; done
    while [[ $_trimmed == *[$' \t\r'] ]]; do _trimmed=${_trimmed%?}; done
}

# Whether the quotation mark behind this piece is part of the string: the backslash before it may be escaped itself.
_ends_escaped() {
    local _backslashes=${1##*[!\\]}
    ((${#_backslashes} % 2))
}

# plain NAME JSON: set NAME to the characters of a string, or to any other value as it is written.
plain() {
    local -n _plain=$1
    local _text=$2 _code _pair='\\u([dD][89abAB]..)\\u([dD][c-fC-F]..)'
    _trim _text
    _text=${_text#\"} _text=${_text%\"}
    if [[ $_text == *\\* ]]; then
        while [[ $_text =~ $_pair ]]; do # a character beyond 65,535: two escapes in JSON, one for printf
            printf -v _code '\\U%08x' $((0x10000 + (0x${BASH_REMATCH[1]} - 0xd800) * 0x400 + 0x${BASH_REMATCH[2]} - 0xdc00))
            _text=${_text/"${BASH_REMATCH[0]}"/"$_code"}
        done
        _text=${_text//'\/'//} _text=${_text//'\"'/'"'}
        LC_ALL=C.UTF-8 printf -v _text %b "$_text"
    fi
    _plain=$_text
}

# field NAME JSON KEY: set NAME to the plain value of a key of an object, or to nothing if there is no such key.
field() {
    local -A _object
    unpack _object "$2"
    plain "$1" "${_object[$3]-}"
}

# ---- the wire: one JSON object a line; types and fields that are not known here are ignored

begin_luck() {
    local -i number=0 at letter
    for ((at = 0; at < ${#1}; at++)); do
        printf -v letter %d "'${1:at:1}"
        number=$(((number * 31 + letter) % 2147483647))
    done
    RANDOM=$number
}

while IFS= read -r line; do # half a line is not read: the runner has gone
    unpack QUESTION "$line"
    plain type "${QUESTION[type]-}"
    case $type in
    hello)
        unpack HELLO "$line"
        echo '{"type":"ready"}' >&3
        ;;
    start)
        unpack START "$line"
        plain seed "${START[seed]}"
        begin_luck "$seed"
        ;;
    decide)
        unpack LEGAL "${QUESTION[legal]}"
        choose
        echo '{"type":"act","id":'"${QUESTION[id]}"',"choose":'"$CHOICE}" >&3
        ;;
    bye) break ;;
    esac
done
exit 0
