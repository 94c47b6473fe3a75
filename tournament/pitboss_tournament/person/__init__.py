"""A person at the table: what is seen and typed in a terminal, a game that can be left and carried on, games in a row."""
