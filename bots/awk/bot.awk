# A bot in POSIX awk: it plays any game at random, the same way again for the same seed.
#
# The function to change is `choose`. `value` finds a value in a line; that is all the JSON that a simple bot needs.

# Answer one question with an index from 0 to count - 1 into its legal actions. Write your own bot here.
function choose(line, count) {
    return int(lot() * count)
}

function lot() {  # awk's own rand() differs from awk to awk; this is the generator of Park and Miller
    state = (state * 16807) % 2147483647
    return state / 2147483647
}

function begin(seed,    at) {
    state = 1
    for (at = 1; at <= length(seed); at++)
        state = (state * 31 + index(CHARACTERS, substr(seed, at, 1))) % 2147483646 + 1
    for (at = 0; at < 10; at++)
        lot()  # near seeds begin with near numbers
}

function string_end(line, at,    sign) {  # the place of the quotation mark that ends the string which begins at this one
    while ((sign = substr(line, ++at, 1)) != "\"" && sign != "")
        if (sign == "\\") at++
    return at
}

function value(line, key,    at, sign, depth, from) {  # the place where the value of a key of the outermost object begins; 0: no such key
    for (at = 1; (sign = substr(line, at, 1)) != ""; at++) {
        if (sign == "\"") {
            from = at
            at = string_end(line, at)
            if (depth == 1 && substr(line, from + 1, at - from - 1) == key && match(substr(line, at + 1), /^[ \t]*:[ \t]*/))
                return at + 1 + RLENGTH
        } else if (sign == "{" || sign == "[") depth++
        else if (sign == "}" || sign == "]") depth--
    }
    return 0
}

function text(line, key,    at) {  # the value of a key, if it is a string
    at = value(line, key)
    return at && substr(line, at, 1) == "\"" ? substr(line, at + 1, string_end(line, at) - at - 1) : ""
}

function number(line, key,    at) {  # the value of a key, if it is a whole number
    at = value(line, key)
    return at && match(substr(line, at, 20), /^[0-9]+/) ? substr(line, at, RLENGTH) : ""
}

function legal_actions(line,    at, sign, depth, count) {  # how many stand in the list `legal`, which is never empty
    depth = count = 1
    for (at = value(line, "legal") + 1; depth && (sign = substr(line, at, 1)) != ""; at++) {
        if (sign == "\"") at = string_end(line, at)
        else if (sign == "," && depth == 1) count++
        else if (sign == "{" || sign == "[") depth++
        else if (sign == "}" || sign == "]") depth--
    }
    return count
}

function say(line) {
    print line
    fflush()  # or the answer waits in a buffer until the clock has run out
}

BEGIN { CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.:+ "; state = 1 }

{ type = text($0, "type") }

type == "hello" { say("{\"type\":\"ready\",\"name\":\"random-awk\",\"version\":\"1\"}") }
type == "start" { begin(text($0, "seed")) }
type == "decide" { say("{\"type\":\"act\",\"id\":" number($0, "id") ",\"choose\":" choose($0, legal_actions($0)) "}") }
type == "bye" { exit }
