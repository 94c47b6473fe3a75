"""Games without players: a game's variants, games played at random, all outcomes of chance."""
