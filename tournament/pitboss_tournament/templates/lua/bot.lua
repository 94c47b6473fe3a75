-- A bot in Lua, 5.1 to 5.4 or LuaJIT, with the standard library only. It plays any game of Pitboss, at random.
--
-- The function to change is `choose`, below: it gets a question and returns which of its legal actions it takes, counted from 1.
-- What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
--
--     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
--     pitboss match GAME . house:random     let it play
--
-- Standard output is the wire, but `print` is safe: it goes to standard error here; `pitboss log` shows it.

package.path = "./?.lua;" .. package.path
local readjson = require("readjson")

local hello, start = {}, {} -- of this process: game, options, seats, clock; of this game: players, seed

-- Answer a question with a place in question.legal, from 1 as in all of Lua. Write your own bot here.
--
-- `question` has seat (yours, from 0, clockwise), phase (what is to be decided), legal (all actions that you may choose from),
-- view (all that you may know now) and clock (the time left). `hello` and `start` have the rest; JSON's null is readjson.null.
-- For example, the first action that plays, else the first of all:
--
--     for place, action in ipairs(question.legal) do
--       if action["do"] == "play" then return place end
--     end
--     return 1
--
-- A bot that draws may state the probabilities that it drew with, one for each action of question.legal (docs: stated policies):
--
--     return place, { 0.25, 0.75 }
--
-- math.random is begun from the seed of each game, so that the same game can be played again; but `pairs` goes through a table
-- in another order in each run.
local function choose(question)
  return math.random(#question.legal)
end

-- ---- the wire: one JSON object a line; types and fields that are not known here are ignored

local wire = io.stdout
wire:setvbuf("line") -- or an answer would wait in a buffer, and the clock would run out

io.output(io.stderr)
function print(...) -- luacheck: globals print
  local words = {}
  for place = 1, select("#", ...) do
    words[place] = tostring((select(place, ...)))
  end
  io.write(table.concat(words, "\t"), "\n")
end

-- Returns a number of 31 bits for a text.
local function number_of(text)
  local number = 0
  for place = 1, #text do
    number = (number * 31 + text:byte(place)) % 2147483647
  end
  return number
end

-- Returns the key of `act` that states a policy; "" without one, and for a runner that takes no policies.
local function policy_of(chances)
  if not chances or hello.policy ~= true then
    return ""
  end
  local pairs_of = {}
  for place, chance in ipairs(chances) do
    pairs_of[place] = ("[%d,%.17g]"):format(place - 1, chance)
  end
  return ',"policy":[' .. table.concat(pairs_of, ",") .. "]"
end

local hear = {}

function hear.hello(message)
  hello = message
  wire:write(hello.policy == true and '{"type":"ready","policy":true}\n' or '{"type":"ready"}\n')
end

function hear.start(message)
  start = message
  math.randomseed(number_of(start.seed))
end

function hear.decide(message)
  local place, chances = choose(message)
  wire:write(('{"type":"act","id":%d,"choose":%d%s}\n'):format(message.id, place - 1, policy_of(chances)))
end

for line in io.lines() do
  local message = readjson(line)
  if not message or message.type == "bye" then -- no message: half a line, as the runner has gone
    break
  end
  local answer = hear[message.type]
  if answer then
    answer(message)
  end
end
