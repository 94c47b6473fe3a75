// A bot in Go, with the standard library only. It plays any game of Pitboss, at random.
//
// The function to change is choose(), below: it gets a question and returns the index of one of its legal actions.
// What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
//
//	pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
//	pitboss match GAME . house:random     let it play; it is built again whenever a file of this folder has changed
//
// Standard output is the wire. Print for yourself to standard error: fmt.Fprintln(os.Stderr, ...); `pitboss log` shows it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
)

// Hello is what the runner says to each process: the game and its options.
type Hello struct {
	Game    string          `json:"game"`
	Options json.RawMessage `json:"options"`
	Seats   int             `json:"seats"`
}

// Start is what it says before each game.
type Start struct {
	Seat    int      `json:"seat"`
	Players []string `json:"players"`
	Seed    string   `json:"seed"`
}

// Action is an action of your game: give it the fields of that game's actions.
type Action = json.RawMessage

// View is what you may know: give it the fields of your game's view.
type View = json.RawMessage

// Question is what you are asked.
type Question struct {
	ID    json.Number `json:"id"`
	Seat  int         `json:"seat"`  // yours, from 0, clockwise
	Phase string      `json:"phase"` // what is to be decided
	Legal []Action    `json:"legal"` // all actions that you may choose from
	View  View        `json:"view"`  // all that you may know now
	Clock struct {
		DecisionMs int  `json:"decision_ms"`
		GameMs     *int `json:"game_ms"`
	} `json:"clock"` // the time left
}

// Answer a question with an index into question.Legal. Write your own bot here. For example, with
// `type Action struct { Do string }` above, the first action that plays, else the first of all:
//
//	for at, action := range question.Legal {
//		if action.Do == "play" {
//			return at
//		}
//	}
//	return 0
func choose(question *Question, hello *Hello, start *Start, luck *rand.Rand) int {
	return luck.Intn(len(question.Legal))
}

// ---- the wire: one JSON object a line; types and fields that are not known here are ignored

func main() {
	var hello Hello
	var start Start
	luck := rand.New(rand.NewSource(0))
	input := bufio.NewReader(os.Stdin)
	for {
		line, wrong := input.ReadBytes('\n')
		if wrong != nil {
			return // the runner has gone; half a line is nothing
		}
		var message struct {
			Type string `json:"type"`
		}
		understand(line, &message)
		switch message.Type {
		case "hello":
			understand(line, &hello)
			say(`{"type":"ready"}`)
		case "start":
			understand(line, &start)
			seed := fnv.New64a()
			seed.Write([]byte(start.Seed))
			luck.Seed(int64(seed.Sum64()))
		case "decide":
			var question Question
			understand(line, &question)
			say(fmt.Sprintf(`{"type":"act","id":%s,"choose":%d}`, question.ID, choose(&question, &hello, &start, luck)))
		case "bye":
			return
		}
	}
}

// understand puts a line into a struct. A field that is no part of the struct is left out.
func understand(line []byte, into any) {
	if wrong := json.Unmarshal(line, into); wrong != nil {
		fmt.Fprintln(os.Stderr, wrong)
		os.Exit(1)
	}
}

// say sends a line at once: os.Stdout has no buffer.
func say(line string) {
	fmt.Fprintln(os.Stdout, line)
}
