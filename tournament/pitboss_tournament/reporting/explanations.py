"""What each figure of the report means, in a sentence for readers who are no statisticians."""

from __future__ import annotations

from typing import Final

STANDINGS: Final = (
    "The dot is the best guess of a rating; 0 is {zero}. The line is made for comparing two bots that you have chosen "
    "beforehand: they differ at 95 % if their lines do not overlap. Of many pairs some would so differ by chance; the "
    "brackets, the ranks and the verdict judge all bots together. A line with an arrow belongs to a bot that was never "
    "placed behind another, or never ahead of one: how far it is from the others has one bound only."
)
UNKNOWN_INTERVAL: Final = (
    "± ? means that there are fewer than five blocks, or that every block ended alike, so that the blocks cannot show "
    "how far off the number is."
)
BOT_GROUPS: Final = (
    "No difference between two bots of a group is proven against this field; a bot may be in two groups. The brackets "
    "in the picture are these groups. Ranks and verdict hold for all bots together: of 100 tournaments at most about 5 "
    "say anything wrong. {test}"
)
HOLM: Final = (
    "As the number of games was fixed before the first one, and all have been played, that is by Student's t of the "
    "differences of ratings, with Holm's step-down for many pairs. If games are added, it will be by another test, "
    "which takes more of them."
)
ANYTIME_TEST: Final = (
    "As the number of games was not fixed, or not all have been played, that is by a test that holds however often one "
    "looks and whenever one stops; it takes more games than one for a fixed number."
)
HISTORY: Final = (
    "Each line goes through the ratings that a bot would have had if the tournament had ended there. The scale is made "
    "for where the bots came to; what lies beyond it, as the first ratings may, is drawn at its edge."
)
DRIFT: Final = (
    "A bot is reported to have done better or worse as the deals went on if the blocks of its tables are unlikely to "
    "come in this order by chance; of 100 tournaments without such a bot at most about 5 name one. Its rating is the "
    "mean over a time in which it, or its opponents, changed, and says less about later games."
)
MODEL_CALLS: Final = (
    "An answer that is no choice (illegal, unparsable, cut off, empty, refused) is never replaced: the model may be "
    "asked again, and then the fault policy decides. Own are decisions that the bot took without its model, or against "
    "it; they are no calls. Transport is the machine's failure: the game is void and played again, and its calls cost "
    "as well."
)
CYCLES: Final = (
    "No order of bots in a cycle is right, and their ratings hide it. A false cycle is reported in at most 5 of 100 "
    "tournaments."
)
PAIRED_BY_RESULTS: Final = (
    "In this format ({format}) results decide who meets whom: points and shares of wins are against other opponents "
    "for each bot, and bots should not be compared by them. Ratings allow for that; their intervals are longer for it."
)
OUT: Final = (
    "The games of a bot that is out count: bots that met it before have won games that others could not win, so "
    "points and shares of wins are not against the same opponents. Ratings allow for that."
)
PRIOR: Final = (
    "Before the first game all bots count as equal, give or take 695 rating points (the prior). That keeps ratings of "
    "bots that always won or lost finite, and draws those of bots with few games a little together."
)
OTHER_ORDER_BY_POINTS: Final = (
    "By points the bots are in another order: ratings and shares of wins count who was placed ahead, points also by "
    "how much."
)
PAIR_EXPLANATION: Final = (
    "These cells say which bot is better head to head; the verdict says which is better against this field. Each cell "
    "compares the bot of its row with the bot of its column in the blocks in which both sat at one table: {measure}, "
    "how likely it is the better one, and how many more blocks would make that sure at 95 %, in 80 of 100 cases, if "
    "the difference is as measured. Sure holds however often you look and whenever you stop. The chance does not: it "
    "assumes a number of deals that was fixed beforehand. "
)
PAIRS_BY_POINTS: Final = (
    "These cells go by points, and sure in pitboss standings --pairs by places: one may be sure and the other not."
)
PAIRS_BY_PLACES: Final = "Places count here, because rare large scores would hide which bot is better by points."
MANY_PAIRS: Final = (
    "These are {pairs}, and each is judged by itself: if all bots were equal, up to about {expected} of them would be "
    "called sure on average. The verdict, against this field, holds for all pairs at once."
)
THINKING: Final = (
    "The bars show how long a bot took for its decisions, from short on the left to long on the right, each step of "
    "the scale being ten times the last; half of its decisions took no longer than p50, 90 of 100 no longer than "
    "p90, 99 of 100 no longer than p99."
)
LAG: Final = "The runner's own lag is how late it was in reading answers; no bot is billed for it."
LENGTHS: Final = (
    "How many decisions the bots made in a game; the higher a bar, the more games were that long. Where the longest "
    "games are many times as long as the shortest, each step of the scale is ten times the last."
)
SEATS: Final = (
    "What each seat is worth, whoever sits there: by how many points a game it is above the mean of its table; "
    "a line that does not touch 0 means that the seat itself, or its place in the order of play, helps or hurts."
)
SEAT_RATINGS: Final = (
    " In rating points: how much stronger its seat makes a bot, above the mean of the seats, partners taken together; "
    "ratings are what bots are worth without it."
)
FAULT_EXPLANATION: Final = (
    "A bot that answers late, wrongly or not at all forfeits the game, or has a neutral action played in its place; "
    "for each bot here is the first of each kind of fault, with what was said."
)
VOIDS: Final = "Games that the machine broke off without a fault of a bot; they do not count, and are played again."
SAVED: Final = (
    "As each deal is played in every order of seats, luck weighs less. The number says how many games with a deal of "
    "their own would replace one game played here, at the same precision (above 1: duplicate deals saved games)."
)
LUCK: Final = (
    "From points and wins of bots and pairs on this page, not from ratings, the luck of the draw is taken out, as far "
    "as it explains the results: what each drawn card was worth beyond the mean of the cards that could have come. The "
    "number tells how many games would have been needed with that luck for one game played here."
)
NOTABLE: Final = "Games worth a look; the command steps through one of them in a terminal."
SETUP: Final = "Everything that the tournament's outcome depends on, so that somebody else can play it again."
