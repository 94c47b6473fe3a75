"""The store: the games of a tournament in one SQLite file.

A `Store` has games, their logs, voids and runs, and rounds that overlap with their checkpoint; calls of models
(`model_calls`), and luck, standings and a report's figures (`kept_results`) have a module each. All share one open file
(`store_file`), which turns errors of SQLite into those of a store; `schema` has every statement that makes a table.

Rows are written in batches every 0.25 s by a thread, with `synchronous=full`; a store that is no longer at its path
stops the run. Each game has a checksum. The bots are rows of the table `entries`, with a digest of each file; `rosters`
says who takes part from which round on; `dictionary` is what records are packed with. A lock keeps a second run off a
store; other processes may read it. Ctrl-C, SIGTERM and a closed terminal stop a run cleanly; SIGURG (`pitboss
stop --after-running`), and the limits of a run (`running/run_end`), let the games in progress end. Each game gives its
bots a new seed (`start.seed`), so that a resumed run plays what the uninterrupted one would have played. The runner's
memory hardly grows with the games: it keeps running means, a bit a game and the open blocks, and for a dynamic format
also the scores of each block.

Standings are read off the games in one pass. The rankings of complete blocks stay in memory as numbers, a byte or two
for each contender of a game (`statistics/rankings`), because the sandwich covariance needs them when the strengths are
known, and the test of gifts, which leaves blocks of a pair out (`statistics/gifts`); all else are sums. At the end of a
run these sums and the ratings are kept in the store, where triggers forget them when a game changes
(`counting/stored_findings`). Whether the number of games was fixed beforehand, so that tests for a fixed number hold,
is decided in one place for all who show results (`counting/open_length`).

A record is stored in columns, each action once, compressed with a dictionary of what all games of the store have in
common (`record_packing`). A decision takes some 2.5 bytes: more than one is its thinking time in microseconds, whose
lowest byte is noise. The result of a game, which all statistics read, has the thinking times of a seat as counts by
bins on a logarithmic scale, in a string.
"""
