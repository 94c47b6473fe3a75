"""The store: the games of a tournament in one SQLite file."""
