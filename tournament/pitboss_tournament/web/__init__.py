"""Tournaments and games as pages in the browser: the server of stores, and the page of a game by itself.

`web/server` shows stores and changes nothing. `play/browser/play_server` serves one session of `pitboss play
--browser`: the session, its match and the server share one trio loop. A link leads to an entrant, and so to another
seat in each game. `play/browser/browser_host` is the session's host, as `play/terminal/terminal_host` is at the
terminal; `play/browser/browser_table` has the people as seats of the match, and is its journal. The table makes frames
of the game for each person and for spectators (`web/live_game`, which replays the decisions). A page has a WebSocket.
It is sent the frames since the last message, and then the whole rest of what it shows, so that it does not matter what
a page has missed: a page that reads slowly gets more at once, and one that was loaded again gets all from the first.

What a click means is told by `play/browser/browser_table`: it plays each legal action in a world that the person's seat
can imagine, and takes the zones of the first cards that move. `web/static/choices.js` narrows the actions by what is
picked.

The scripts in `web/static` are modules without a build step. `replay.js` is a game on a page, for replays, tables in
play and people at the table alike; `reel.js` has its tables, frame by frame; `seating.js`, with `zone_layout.js`,
`middle.js` and `meld_places.js`, computes where everything lies, from numbers alone; `zone_kinds.js` alone knows how
the kinds of zones differ; `board.js` puts it on the screen, so that a card moves from one computed place to another and
nothing is measured; `card_faces.js` draws faces as SVG. `deno.json` has the rules of formatting and lint. A page that
is a single file has them joined (`web/script_bundle`), under a policy that names their hash. The small pictures of
tables in play are boards too, made small (`mini_table.js`); each is one frame, which the server makes of the game as it
is (`LiveTables.read_table`).
"""
