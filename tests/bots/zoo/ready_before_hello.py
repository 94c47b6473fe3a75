"""Says that it is ready before it has read a line, which the runner cannot tell from an answer."""

from polite import act, say

say('{"type":"ready"}')
for line in iter(input, '{"type":"bye"}'):
    if line.startswith('{"type":"decide"'):
        say(act(int(line.partition('"id":')[2].partition(",")[0])))
