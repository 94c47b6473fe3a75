"""Games whose rules another program knows: an engine behind the protocols of games.

`engine` says what an engine offers, and what it may declare that it cannot. `engine_game` makes a game of it; its
states are in `engine_state`. `world_search` samples worlds where the engine cannot, and `engine_reconstruction` follows
a game from what a seat was told.

`parameters` is for engines whose options are known when they are asked. `pitboss_engines` has an engine that is a
program in any language.
"""
