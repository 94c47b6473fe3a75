# A bot in POSIX awk. It plays any game of Pitboss, at random.
#
# The function to change is `choose`, below: it gets the number of legal actions and returns the index of one of them.
# What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
#
#     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
#     pitboss match GAME . house:random     let it play
#
# Standard output is the wire. Print for yourself to standard error: print ... > "/dev/stderr"; `pitboss log` shows it.

# Answer a question with an index from 0 to count - 1. Write your own bot here.
#
# LEGAL[0] to LEGAL[count - 1] are the actions that you may choose from. QUESTION["seat"] (yours, from 0, clockwise), ["phase"] (what is
# to be decided), ["view"] (all that you may know now) and ["clock"] (the time left) are the rest of the question; HELLO has game, options,
# seats and clock; START has players and seed. All are JSON: field(json, key) is the value of a key of an object, unpack(json, values)
# has all values of an object or an array, plain(json) a string without its quotation marks. For example, the first action that plays, else the first of all:
#
#     for (at = 0; at < count; at++)
#         if (plain(field(LEGAL[at], "do")) == "play") return at
#     return 0
#
# (In awk, variables of a function's own stand behind its parameters: `function choose(count,    at)`.)
function choose(count) {
    return int(lot() * count)
}

# ---- luck: a number from 0 to 1, never 1, begun from the seed of each game (awk's own rand differs from awk to awk)

function lot() {
    LUCK = (LUCK * 16807) % 2147483647
    return LUCK / 2147483647
}

function begin_luck(seed,    at) {
    LUCK = 1
    for (at = 1; at <= length(seed); at++)
        LUCK = (LUCK * 31 + index(CHARACTERS, substr(seed, at, 1))) % 2147483646 + 1
    for (at = 0; at < 10; at++)
        lot()  # near seeds begin with near numbers
}

# ---- JSON: values are kept as they are written, and opened where they are needed

# Put the values of an object into values[key], those of an array into values[0], values[1] and so on, and return how many there are; a
# text that is not whole has none. Cut at the quotation marks, every other piece stands outside of strings.
function unpack(json, values,    pieces, piece, which, last, j, sign, at, from, depth, is_quoted, key, count) {
    split("", values)
    last = split(json, pieces, "\"")
    for (which = 1; which <= last; which++) {
        piece = pieces[which]
        for (j = 1; !is_quoted && j <= length(piece); j++) {
            sign = substr(piece, j, 1)
            if (sign == "[" || sign == "{") {
                if (!depth++) from = at + j + 1
            } else if (sign == "]" || sign == "}") {
                if (!--depth) count += keep(values, key, count, substr(json, from, at + j - from))
            } else if (depth == 1 && (sign == ":" || sign == ",")) {
                if (sign == ":") key = plain(substr(json, from, at + j - from))
                else count += keep(values, key, count, substr(json, from, at + j - from))
                from = at + j + 1
            }
        }
        at += length(piece) + 1
        if (!is_quoted || !ends_escaped(piece)) is_quoted = !is_quoted
    }
    if (depth) split("", values)
    return depth ? 0 : count + 0
}

# The value of a key of an object, a string without its quotation marks; "" if there is no such key.
function field(json, key,    values) {
    unpack(json, values)
    return key in values ? plain(values[key]) : ""
}

function keep(values, key, count, value) {
    gsub(/^[ \t\r]+|[ \t\r]+$/, "", value)
    if (value != "") values[key == "" ? count + 0 : key] = value
    return value != ""
}

function ends_escaped(piece) {  # is the quotation mark behind it part of the string? A backslash may be escaped itself
    return match(piece, /\\+$/) && RLENGTH % 2
}

function plain(json,    text, at, sign) {  # the characters of a string, or any other value as it is written
    gsub(/^[ \t\r]*"|"[ \t\r]*$/, "", json)
    while (at = index(json, "\\")) {
        sign = substr(json, at + 1, 1)
        text = text substr(json, 1, at - 1) (sign in ESCAPES ? ESCAPES[sign] : sign)
        json = substr(json, at + 2)
        if (sign != "u") continue
        text = text utf8(hex(substr(json, 1, 4)), hex(substr(json, 7, 4)))
        json = substr(json, 5 + 6 * IS_PAIR)
    }
    return text json
}

function hex(digits,    at, number) {
    for (at = 1; at <= length(digits); at++)
        number = number * 16 + index("123456789abcdef", tolower(substr(digits, at, 1)))
    return number + 0
}

function utf8(code, next_code) {  # the bytes of a character; those beyond 65,535 are written as a pair of escapes
    IS_PAIR = 55296 <= code && code < 56320 && 56320 <= next_code && next_code < 57344
    if (IS_PAIR) code = 65536 + (code - 55296) * 1024 + next_code - 56320
    if (code < 128) return sprintf("%c", code)
    if (code < 2048) return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
    if (code < 65536) return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
    return sprintf("%c%c%c%c", 240 + int(code / 262144), 128 + int(code / 4096) % 64, 128 + int(code / 64) % 64, 128 + code % 64)
}

# ---- the wire: one JSON object a line; types and fields that are not known here are ignored

function say(line) {
    print line
    fflush()  # or the line would wait in a buffer, and the clock would run out
}

BEGIN {
    CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.:+ "
    ESCAPES["n"] = "\n"; ESCAPES["t"] = "\t"; ESCAPES["r"] = "\r"; ESCAPES["b"] = "\b"; ESCAPES["f"] = "\f"; ESCAPES["u"] = ""
}

{ unpack($0, QUESTION); type = plain(QUESTION["type"]) }  # half a line has no type: the runner has gone

type == "hello" { unpack($0, HELLO); say("{\"type\":\"ready\"}") }
type == "start" { unpack($0, START); begin_luck(plain(START["seed"])) }
type == "decide" { say("{\"type\":\"act\",\"id\":" QUESTION["id"] ",\"choose\":" choose(unpack(QUESTION["legal"], LEGAL)) "}") }
type == "bye" { exit }
