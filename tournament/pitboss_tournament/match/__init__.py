"""One game at a table: seats, the link to a bot, its clocks, what a fault costs, calls into the game's plugin.

A seat is an object that implements `Seat`: a bot, a person, a bot asked again, a random player of the checks. A bot's
seat has a bank clock for its game time and a fault policy. A bot's error becomes a `Fault` there; no exception of a bot
leaves the seat. Under the policy `forfeit` the neutral action is played from then on, the seat is placed last, and its
process is ended and started afresh for the next game. Under `substitute` the neutral action is played once, and
counted; a fresh process is told all events of the game. After `end` the runner waits until the bot is at rest, so that
what it writes then is in the log of that game. If it has left by then, or leaves without having read on (the pipe tells
how much lies there unread), it is started afresh without a fault. The record keeps each fault as an `Incident`: the
last lines exchanged, and the end of standard error. What its process tells of the cause is said by `fault_causes`. A
failure of the machine (`MachineError`) makes a game void: it is played again, and the cause is kept. A failure of the
game's plugin (`plugin_calls`) ends the tournament: an exception, garbage in place of a turn, a legal list, a view or an
outcome, a call that does not return, a game that does not end.
"""
