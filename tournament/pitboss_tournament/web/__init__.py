"""Tournaments and games as pages in the browser: the server of stores, and the page of a game by itself."""
