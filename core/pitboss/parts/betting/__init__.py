"""Games of betting, declared: streets, cards, betting rounds, blinds, and what is decided beside bets.

An author declares a `BettingVariant` (`variant`): streets with the cards that they deal, how hands compare (`rankings`)
and acts (`acts`, `variant.HandAct`). `BettingOptions` (`messages`) have limits, blinds, antes, straddles and stacks.
`BettingState` (`betting_state`) plays any variant; `BettingGame` (`game`) is the base of the game. Views, events,
positions, pictures and hand histories follow from the declaration.

A state is built in layers: `betting_round` (what may be bet), `showdown` (pots, who shows), `hand` (the course of a
hand), `board_state` (hidden hands and a board, the fast path of Hold'em), `betting_state` (open cards, cards on every
street, discards, acts, the bring-in). Hand histories are written by `phh_writing` and read by `phh_reading`, which
plays them again by `foreign_hand`.
"""
