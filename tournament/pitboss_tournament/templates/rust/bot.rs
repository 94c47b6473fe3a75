//! A bot in Rust, with the standard library only. It plays any game of Pitboss, at random.
//!
//! The function to change is `choose`, below: it gets a question and returns the index of one of its legal actions.
//! What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
//!
//!     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
//!     pitboss match GAME . house:random     let it play; it is built again whenever a file of this folder has changed
//!
//! Standard output is the wire. Print for yourself to standard error: eprintln!(...); `pitboss log` shows it.

#![allow(dead_code, unused_variables)] // what stands ready for your own bot

use std::io::{self, BufRead, Write};

/// A JSON value as it is written in the line. A string has its quotation marks; nothing is copied, nothing decoded.
/// `field(value, "key")`, `elements(value)`, `number(value)` and `is_string(value, "word")` look into it.
type Text<'a> = &'a [u8];

struct Question<'a> {
    seat: i64,            // yours, from 0, clockwise
    phase: Text<'a>,      // what is to be decided
    legal: Vec<Text<'a>>, // all actions that you may choose from
    view: Text<'a>,       // all that you may know now
    message: Text<'a>,    // the whole question: field(message, "clock"), field(message, "events")
}

#[derive(Default)]
struct Table {
    hello: Vec<u8>, // the last messages of these types: field(&table.hello, "options"), field(&table.start, "players")
    start: Vec<u8>,
    luck: Luck, // begun from the seed of each game, so that the same game can be played again
}

/// Answer a question with an index into `question.legal`. Write your own bot here. For example, the first action that plays, else the first of all:
///
/// ```
/// question.legal.iter().position(|&action| is_string(field(action, "do"), "play")).unwrap_or(0)
/// ```
fn choose(question: &Question, table: &mut Table) -> usize {
    table.luck.below(question.legal.len())
}

// ---- JSON: as much of it as a bot needs

/// The value of a key; empty if there is no such key.
fn field<'a>(object: Text<'a>, key: &str) -> Text<'a> {
    if object.first() != Some(&b'{') {
        return &[];
    }
    let mut at = after_blanks(object, 1);
    while object.get(at) == Some(&b'"') {
        let after = after_string(object, at);
        let colon = after_blanks(object, after);
        let value = after_blanks(object, colon + 1);
        let end = after_value(object, value);
        if &object[at + 1..after - 1] == key.as_bytes() {
            return between(object, value, end);
        }
        at = after_blanks(object, end + 1);
    }
    &[]
}

/// The elements of a list.
fn elements(list: Text) -> Vec<Text> {
    let mut found = Vec::new();
    if list.first() != Some(&b'[') {
        return found;
    }
    let mut at = after_blanks(list, 1);
    while at < list.len() && list[at] != b']' {
        let end = after_value(list, at);
        found.push(between(list, at, end));
        at = if list.get(end) == Some(&b',') { after_blanks(list, end + 1) } else { end };
    }
    found
}

/// A number as a number; 0 if it is none.
fn number(value: Text) -> i64 {
    std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Whether a value is the string "word".
fn is_string(value: Text, word: &str) -> bool {
    value.len() == word.len() + 2 && &value[1..=word.len()] == word.as_bytes()
}

fn between(text: Text, from: usize, mut to: usize) -> Text {
    while to > from && text[to - 1].is_ascii_whitespace() {
        to -= 1;
    }
    &text[from..to]
}

fn after_blanks(text: Text, mut at: usize) -> usize {
    while at < text.len() && text[at].is_ascii_whitespace() {
        at += 1;
    }
    at
}

fn after_string(text: Text, mut at: usize) -> usize {
    at += 1;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    text.len().min(at + 1)
}

/// Where the value ends that begins here: before a comma or a bracket that is not its own.
fn after_value(text: Text, mut at: usize) -> usize {
    let mut depth = 0;
    while at < text.len() {
        match text[at] {
            b'"' => {
                at = after_string(text, at);
                continue;
            }
            b',' | b'}' | b']' if depth == 0 => break,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    at
}

// ---- luck: splitmix64

#[derive(Default)]
struct Luck(u64);

impl Luck {
    fn begin(seed: Text) -> Luck {
        Luck(seed.iter().fold(14695981039346656037, |mixed, &byte| (mixed ^ u64::from(byte)).wrapping_mul(1099511628211)))
    }

    /// A random number from 0 to `count` - 1.
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut drawn = self.0;
        drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d049bb133111eb);
        ((drawn ^ (drawn >> 31)) % count as u64) as usize
    }
}

// ---- the wire: one JSON object a line; types and fields that are not known here are ignored

fn main() -> io::Result<()> {
    let mut table = Table::default();
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        input.read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Ok(()); // the runner has gone; half a line is nothing
        }
        let kind = field(&line, "type");
        if is_string(kind, "decide") {
            answer(&line, &mut table)?;
        } else if is_string(kind, "hello") {
            table.hello = line.clone();
            say("{\"type\":\"ready\"}")?;
        } else if is_string(kind, "start") {
            table.start = line.clone();
            table.luck = Luck::begin(field(&table.start, "seed"));
        } else if is_string(kind, "bye") {
            return Ok(());
        }
    }
}

fn answer(line: Text, table: &mut Table) -> io::Result<()> {
    let question = Question {
        seat: number(field(line, "seat")),
        phase: field(line, "phase"),
        legal: elements(field(line, "legal")),
        view: field(line, "view"),
        message: line,
    };
    let id = String::from_utf8_lossy(field(line, "id"));
    say(&format!("{{\"type\":\"act\",\"id\":{},\"choose\":{}}}", id, choose(&question, table)))
}

/// Send a line at once.
fn say(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
