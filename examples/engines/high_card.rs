// High card: each player gets a hidden card and in turn folds (and loses 1) or stays (and loses 2); the highest card
// among those who stay wins what the others lose. Build: rustc -O --edition 2021 high_card.rs
use std::{collections::HashMap, io::{stdin, stdout, BufRead, BufReader, BufWriter, Write}};

#[derive(Clone)]
struct State { seats: usize, deck: usize, steps: Vec<usize> } // a card for each seat, then its choice (0 fold, 1 stay)

fn join(parts: impl Iterator<Item = String>) -> String { parts.collect::<Vec<_>>().join(",") }

fn see(s: &State, seat: Option<usize>) -> String { // without a seat: everything
    let is_open = |i| seat.is_none() || seat == Some(i) || s.steps.len() == 2 * s.seats;
    let shown = s.steps.iter().enumerate().map(|(i, step)| match step {
        _ if i < s.seats => if is_open(i) { format!(" {step}") } else { " ?".into() },
        0 => ", fold".into(),
        _ => ", stay".into(),
    });
    format!("\"cards{}\"", shown.collect::<String>())
}

fn tell(s: &State) -> String {
    let seen = join((0..s.seats).map(|seat| see(s, Some(seat))));
    if s.steps.len() < s.seats {
        let left = (1..=s.deck).filter(|card| !s.steps.contains(card));
        return format!(r#"{{"seen":[{seen}],"chance":[{}]}}"#, join(left.map(|card| format!("[{card},1]"))));
    }
    let (cards, choices) = s.steps.split_at(s.seats);
    if choices.len() < s.seats {
        return format!(r#"{{"seen":[{seen}],"turns":[{}],"moves":[[[0,"fold"],[1,"stay"]]]}}"#, choices.len());
    }
    let best = (0..s.seats).filter(|&i| choices[i] == 1).max_by_key(|&i| cards[i]);
    let losses: Vec<_> = (0..s.seats).map(|i| if Some(i) == best { 0 } else { 1 + choices[i] as i64 }).collect();
    let count = |i| if best.is_none() { 0 } else if best == Some(i) { losses.iter().sum() } else { -losses[i] };
    format!(r#"{{"seen":[{seen}],"points":[{}]}}"#, join((0..s.seats).map(|i| count(i).to_string())))
}

fn answer(line: &str, states: &mut HashMap<usize, State>) -> String {
    // the numbers of the line, whose keys come in a fixed order
    let n: Vec<usize> = line.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    match &line[7..9] { // {"do":"deal",…
        "he" => return concat!(r#"{"name":"high-card","title":"High card","version":"1","seats":[2,3,4],"decisions":4,"#,
            r#""least":-2,"most":6,"total":0,"options":{"cards":{"default":6,"least":4,"most":20,"about":"Cards."}}}"#).into(),
        "st" => return format!(r#"{{"text":{}}}"#, see(&states[&n[0]], n.get(1).copied())),
        "dr" => { for number in &n { states.remove(number); } return "{}".into() }
        "de" => { states.insert(n[0], State { seats: n[1], deck: n[3], steps: vec![] }); return tell(&states[&n[0]]) }
        _ => { let s = states[&n[0]].clone(); states.insert(n[1], s); }
    }
    states.get_mut(&n[1]).unwrap().steps.push(n[2]); // "play"
    tell(&states[&n[1]])
}

fn main() {
    let (mut input, mut output) = (BufReader::new(stdin()), BufWriter::new(stdout()));
    let (mut states, mut line) = (HashMap::new(), String::new());
    while input.read_line(&mut line).unwrap() > 0 {
        writeln!(output, "{}", answer(&line, &mut states)).unwrap();
        if input.buffer().is_empty() { output.flush().unwrap() } // several lines may have come at once
        line.clear();
    }
}
