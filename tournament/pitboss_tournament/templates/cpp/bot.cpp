// A bot in C++, with the standard library only. It plays any game of Pitboss, at random.
//
// The function to change is choose(), below: it gets a question and returns the index of one of its legal actions.
// What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
//
//     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
//     pitboss match GAME . house:random     let it play; it is built again whenever a file of this folder has changed
//
// Standard output is the wire. Print for yourself to standard error: std::cerr << ...; `pitboss log` shows it.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// A JSON value as it is written in the line. A string has its quotation marks; nothing is copied, nothing decoded.
using Text = std::string_view;

Text field(Text object, Text key);          // the value of a key; empty if there is no such key
std::vector<Text> elements(Text list);      // the elements of a list
long number(Text value);                    // a number as a number
bool is_string(Text value, Text word);      // whether a value is the string "word"

struct Question {
    long seat;               // yours, from 0, clockwise
    Text phase, view;        // what is to be decided; all that you may know now
    std::vector<Text> legal; // all actions that you may choose from
    Text message;            // the whole question: field(message, "clock"), field(message, "events")
};

struct Table {
    std::string hello, start; // the last messages of these types: field(hello, "options"), field(start, "players")
    std::mt19937_64 luck;     // begun from the seed of each game, so that the same game can be played again
};

// Answer a question with an index into question.legal. Write your own bot here. For example, the first action that plays, else the first of all:
//
//     for (std::size_t at = 0; at < question.legal.size(); at++)
//         if (is_string(field(question.legal[at], "do"), "play"))
//             return at;
//     return 0;
std::size_t choose(const Question &question, [[maybe_unused]] Table &table) {
    return table.luck() % question.legal.size();
}

// ---- JSON: as much of it as a bot needs

constexpr Text BLANKS = " \t\r\n";

std::size_t after_blanks(Text text, std::size_t at) {
    return std::min(text.find_first_not_of(BLANKS, at), text.size());
}

std::size_t after_string(Text text, std::size_t at) {
    for (at++; at < text.size() && text[at] != '"'; at++)
        if (text[at] == '\\')
            at++;
    return std::min(at + 1, text.size());
}

// Return where the value ends that begins here: before a comma or a bracket that is not its own.
std::size_t after_value(Text text, std::size_t at) {
    int depth = 0;
    while (at < text.size()) {
        char sign = text[at];
        if (sign == '"') {
            at = after_string(text, at);
            continue;
        }
        if (depth == 0 && (sign == ',' || sign == '}' || sign == ']'))
            break;
        depth += (sign == '{' || sign == '[') - (sign == '}' || sign == ']');
        at++;
    }
    return at;
}

Text between(Text text, std::size_t from, std::size_t to) {
    Text value = text.substr(from, to - from);
    return value.substr(0, value.find_last_not_of(BLANKS) + 1);
}

Text field(Text object, Text key) {
    if (object.empty() || object[0] != '{')
        return {};
    std::size_t at = after_blanks(object, 1);
    while (at < object.size() && object[at] == '"') {
        std::size_t after = after_string(object, at), value = after_blanks(object, after);
        if (value == object.size() || object[value] != ':')
            break;
        value = after_blanks(object, value + 1);
        std::size_t end = after_value(object, value);
        if (object.substr(at + 1, after - at - 2) == key)
            return between(object, value, end);
        at = after_blanks(object, end + 1);
    }
    return {};
}

std::vector<Text> elements(Text list) {
    std::vector<Text> found;
    if (list.empty() || list[0] != '[')
        return found;
    std::size_t at = after_blanks(list, 1);
    while (at < list.size() && list[at] != ']') {
        std::size_t end = after_value(list, at);
        found.push_back(between(list, at, end));
        if (end < list.size() && list[end] == ',')
            end = after_blanks(list, end + 1);
        at = end;
    }
    return found;
}

long number(Text value) {
    return value.empty() ? 0 : std::strtol(std::string(value).c_str(), nullptr, 10);
}

bool is_string(Text value, Text word) {
    return value.size() == word.size() + 2 && value.substr(1, word.size()) == word;
}

// ---- the wire: one JSON object a line; types and fields that are not known here are ignored

void say(const std::string &line) {
    std::cout << line << std::endl; // endl sends it at once: in a buffer it would wait until the clock has run out
}

void answer(Text line, Table &table) {
    Question question{number(field(line, "seat")), field(line, "phase"), field(line, "view"), elements(field(line, "legal")), line};
    say("{\"type\":\"act\",\"id\":" + std::string(field(line, "id")) + ",\"choose\":" + std::to_string(choose(question, table)) + "}");
}

int main() {
    std::ios::sync_with_stdio(false);
    Table table;
    for (std::string line; std::getline(std::cin, line) && !std::cin.eof();) { // at the end of the input half a line is nothing
        Text type = field(line, "type");
        if (is_string(type, "decide")) {
            answer(line, table);
        } else if (is_string(type, "hello")) {
            table.hello = line;
            say("{\"type\":\"ready\"}");
        } else if (is_string(type, "start")) {
            table.start = line;
            Text seed = field(table.start, "seed");
            std::seed_seq letters(seed.begin(), seed.end());
            table.luck.seed(letters);
        } else if (is_string(type, "bye")) {
            break;
        }
    }
}
