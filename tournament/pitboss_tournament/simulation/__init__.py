"""Random games in one process."""
