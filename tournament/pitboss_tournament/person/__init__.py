"""A person at the terminal: rendering, menu, journal of the unfinished game, and a session of games."""
