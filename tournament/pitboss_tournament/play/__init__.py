"""People at the table: their seats, the journal of an unfinished game, and a session of games."""
