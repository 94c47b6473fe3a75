"""A league: a folder that people submit bots to, over HTTP with tokens, and that validates what comes.

A version on the ladder is a `LadderLine`: its submission and its row of the standings. A column of the ladder, of other
tables of versions, or of `league status` is declared in `ladder_columns`; `site.bot_cells` draws what is not text.

A league's folder has a store, in which its own tables lie (`store/schema`), perhaps before there is a tournament.
`book` reads and writes them: each method is one transaction. An upload is streamed to `uploads/`, unpacked for a moment
to see that it can be and to know its digest (`intake`), synced, written into the book, and only then answered. The
queue (`validation_queue`) gives one submission at a time to a process (`validator`), which unpacks it where it stays,
builds, checks and plays; it reports each step, and the queue writes evidence and state in one transaction. A resume
begins with the step of the state. A folder in `bots/` is complete when its own write permission is gone: that goes
last, after everything is synced (`version_folder`). Until then the archive is kept, and the folder can be rebuilt from
it.

The audit trail is written and shown; nothing is decided by its words. A fact that is asked for later has a table
(`league_valid`, `league_uploads`, `league_finals`), written in the same transaction as the line. `book_file`
takes the facts of lines that an earlier Pitboss wrote; `league_changes` has the numbers of the lines that are done.

`tar_reader` is written by hand. `tarfile` reads headers of any size into memory, and its bounds are not ours. It yields
regular files and folders, and refuses all else; `unpacking` decides what is written. A `.gitignore` of a stranger is
not read, as its patterns may compute for ever.

The player (`league_player`) holds one `Tournament`, a ladder whose rounds overlap. It follows the book: `league_field`
draws up plan and header, in which each version is an entry, and `Tournament.change_field` lets them take part from the
next round on, without a pause; where an engine has given its machines the bots beforehand, its places are opened again.
Games are counted once, in memory (`counting/live_counts`), for the run, the ladder and the checkpoint: while a thread
computes with the counts, results wait; a disqualification is told with those that wait. Every minute they are put into
the store with the rounds, as a checkpoint (`rounds/checkpoint`); the next run begins there. The seeds of games follow
from the seed in the store, so only the host knows the cards.

Which tables a round has depends on how long games take, so the store records each round when it is opened, with the
tables that had not ended by then. A `RoundProgress` that follows the store again gives its format just what it was
given: the ladder's state is the same, and a missing game is found wherever it is.

`rejudging` replays all records when the version of the game has changed. Those that hold are written again with the new
version in them, so that replay and audit need to know of one version only; the audit trail records which games were
played by which version. `finals` draws field and seed once: from then on they are read from the store of the finals,
and the table `league_finals`, which names it, says by which rules they were chosen. `backup` copies files first and the
store last; an earlier copy is known by its audit trail and its runs, which are the beginning of the league's.

Before others an owner has a pseudonym or a name of choice (`name_book`); a `LadderLine` has that name beside the
submission, and `Viewer.name_owner` decides which of the two is shown. An entry of the tournament keeps the owner that
it came with and the name by which its deals are drawn (`BotAbout.dealt_as`), whatever the book says later: from both
follows which tables a round had, and which cards. So a hand-over changes the book alone, and `store.stored_names` may
rename entries and games, and take a name out of the bytes of a file (`name_changes`).

Rules with a date are laid over those of the file whenever it is read (`rule_changes`). At the date the process ends its
games and begins again; if games cannot be added up any more, the store is put aside first, and a store with the same
people takes its place (`seasons`, `renewal`).

Grades rest on what is frozen at the end of submissions (`term_keeper`), and that on `class_standings`: a function of
the book and of the games that the store had at a moment, so that everybody who has the store computes the same again.
What is frozen names versions by the numbers of their submissions, never people. `site/term_server` is the door before
the processes of several leagues, and `site/mounting` puts a path in front of the addresses that the pages of one say.

The pages are made on the server, from a `LadderView`: a frozen value with all that everybody may know, built by
`ladder_view.build_ladder_view` from standings and the book. A line of it is a submission and its `BotRow`; its columns,
also those of `league status`, are declared in `league/ladder_columns`. A `LadderSource` has the latest view for all who
look (`stored_ladder`), made by a `Renewed` (`web/renewed`), as the summary of a served store is. Modules named `…_page`
turn values into markup and do no I/O; `page_site`, `game_site` and `login_site` are the routes. `Viewer.may_see` is the
one question of who may see what belongs to an owner. Games are read by `game_archive`; what is in a game is shown when
all games of its deal are over. The script (`web/static/league.js`) fetches a page again when the server says that there
is another view, and puts its `main` in place of the old one.
"""
