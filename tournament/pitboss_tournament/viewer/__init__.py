"""The viewer: recorded games in a browser, one page for every game."""
