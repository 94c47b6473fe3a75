"""Games whose rules another program knows: an engine behind the protocols of games.

`engine` says what an engine offers, and what it may declare that it cannot. `engine_game` makes a game of it; its
states are in `engine_state`. `world_search` samples worlds where the engine cannot, and `engine_reconstruction` follows
a game from what a seat was told.

`process_engine` is an engine that is a program in any language: `engine_program` starts it and carries the lines,
`engine_messages` has their types, `engine_sandbox` holds a program that is not trusted.
`parameters` is for adapters of Python libraries.
"""
