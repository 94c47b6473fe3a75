"""A league: a folder that people submit bots to, over HTTP with tokens, and that validates what comes."""
