"""Other machines: bots travel there, workers play there, and the tournament stays here.

An engine has its workers on the *nodes* of a cluster. `cluster_engine` is the client's side: it asks each node what it
is, refuses one with other code or a problem, gives it the bots that it lacks, and makes places of its processors. It
knows nothing of Dask: `dask_engine` lists nodes and calls their methods, in an event loop of asyncio in a thread. A
node (`node`) is an actor in a Dask worker; it knows neither Dask nor the tournament. `travelling_bots` packs a bot by
its digest, and takes the paths of this machine out of its command; on each machine it unpacks and builds the bot once,
read-only, and throws away what changed since; `bot_trial` asks it there for a first decision. `remote_node` has a node
and its workers as the client sees them.

The walk of a batch to another machine:

1. The dispatcher assigns it to a place, as to any other. The client's end of the worker (`remote_node`) puts bots as
   they travel in the place of the entrants, encodes the line that a worker of this machine would be told, and calls
   `write` of the node, by way of the scheduler.
2. The node puts in the paths of its machine and writes the line to the worker process, which plays as it would here.
3. The worker's lines are kept by the node. The client is always reading (`read`): the call returns at once if something
   is urgent (a fault, the end of a batch, a worker's end), after half a second if there are finished games, after two
   if there is nothing. So the calls of a node grow with batches and seconds, not with games.
4. The client decodes each line as if it had come through a pipe, and counts the game.

A call that fails or does not return in time loses the node: its places raise `PlaceLost`, their batches are handed out
again, and no game is suspected. A node that nobody reads kills its workers. Dask retries nothing: nodes are not
tasks.

`running/dispatcher` keeps the games of a block on one kind of machine. `running/verification` plays some batches of
other machines again, in a worker of this one; `running/verification` decides what the differences prove of bots and
machines. If a machine is shown to play otherwise, `running/verification` takes its games out of the store, with the
rounds that follow from them; the tournament reads the store again and goes on without the machine.
"""
