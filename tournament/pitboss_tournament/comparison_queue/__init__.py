"""A queue of comparisons: a folder with an entry, a store and the copies of the bots for each."""
