// High card: each player gets a hidden card and in turn folds (and loses 1) or stays (and loses 2); the highest card
// among those who stay wins what the others lose. Build: c++ -O2 -std=c++17 -o high_card high_card.cpp
#include <algorithm>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>
using namespace std;

struct State { size_t seats, deck; vector<size_t> steps; };  // a card for each seat, then its choice (0 fold, 1 stay)
unordered_map<size_t, State> states;

string see(const State& s, int seat) {  // seat -1 sees everything
    string text = "\"cards";
    for (size_t i = 0; i < s.steps.size(); i++)
        if (i >= s.seats) text += s.steps[i] ? ", stay" : ", fold";
        else text += seat < 0 || int(i) == seat || s.steps.size() == 2 * s.seats ? " " + to_string(s.steps[i]) : " ?";
    return text + "\"";
}

string tell(const State& s) {
    string seen, parts;
    for (size_t i = 0; i < s.seats; i++) seen += (i ? "," : "{\"seen\":[") + see(s, int(i));
    if (s.steps.size() < s.seats) {
        for (size_t card = 1; card <= s.deck; card++)
            if (!count(s.steps.begin(), s.steps.end(), card)) parts += ",[" + to_string(card) + ",1]";
        return seen + "],\"chance\":[" + parts.substr(1) + "]}";
    }
    if (s.steps.size() < 2 * s.seats)
        return seen + "],\"turns\":[" + to_string(s.steps.size() - s.seats) + R"(],"moves":[[[0,"fold"],[1,"stay"]]]})";
    const size_t *cards = &s.steps[0], *choices = &s.steps[s.seats];
    size_t best = 0, pot = 0;  // the highest card that has not folded
    for (size_t i = 0; i < s.seats; i++) best = max(best, choices[i] * cards[i]), pot += 1 + choices[i];
    for (size_t i = 0; i < s.seats; i++)
        parts += !best ? ",0" : cards[i] == best ? "," + to_string(pot - 2) : ",-" + to_string(1 + choices[i]);
    return seen + "],\"points\":[" + parts.substr(1) + "]}";
}

string answer(const string& line) {
    const string digits = "0123456789", kind = line.substr(7, 2);  // {"do":"deal",…
    vector<size_t> n;  // the numbers of the line, whose keys come in a fixed order
    for (size_t i = 0; (i = line.find_first_of(digits, i)) != string::npos; i = line.find_first_not_of(digits, i))
        n.push_back(stoul(line.substr(i)));
    if (kind == "he") return R"({"name":"high-card","title":"High card","version":"1","seats":[2,3,4],"decisions":4,)"
        R"("least":-2,"most":6,"total":0,"options":{"cards":{"default":6,"least":4,"most":20,"about":"Cards."}}})";
    if (kind == "de") return tell(states[n[0]] = State{n[1], n[3], {}});
    if (kind == "st") return "{\"text\":" + see(states.at(n[0]), n.size() > 1 ? int(n[1]) : -1) + "}";
    if (kind == "pl") (states[n[1]] = states.at(n[0])).steps.push_back(n[2]);
    if (kind == "pl") return tell(states[n[1]]);
    for (size_t number : n) states.erase(number);  // the last kind is "drop"
    return "{}";
}

int main() {
    ios::sync_with_stdio(false), cin.tie(nullptr);
    for (string line; getline(cin, line);)  // several lines may have come at once
        if (cout << answer(line) << '\n'; cin.rdbuf()->in_avail() <= 0) cout.flush();
}
