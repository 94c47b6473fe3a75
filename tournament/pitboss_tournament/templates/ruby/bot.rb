# frozen_string_literal: true

# A bot in Ruby, with the standard library only. It plays any game of Pitboss, at random.
#
# The method to change is `choose`, below: it gets a question and returns the index of one of its legal actions.
# What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
#
#     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
#     pitboss match GAME . house:random     let it play
#
# Standard output is the wire, but `puts`, `p` and `warn` are safe: all go to standard error here; `pitboss log` shows it.

require "json"
require "zlib"

# What the bot knows beside the question, and what it chooses.
class Bot
  def initialize
    @hello = {} # of this process: game, options, seats, clock
    @start = {} # of this game: players, seed
    @luck = Random.new(0)
  end

  # Answer a question with an index into question["legal"]. Write your own bot here.
  #
  # `question` has seat (yours, from 0, clockwise), phase (what is to be decided), legal (all actions that you may choose from),
  # view (all that you may know now) and clock (the time left). @hello and @start have the rest.
  # For example, the first action that plays, else the first of all:
  #
  #   question["legal"].index { |action| action["do"] == "play" } || 0
  #
  # A bot that draws may state the probabilities that it drew with (docs: stated policies):
  #
  #   { choose: at, policy: [[0, 0.25], [1, 0.75]] }
  #
  # Take all luck from @luck, as in `cards.sample(random: @luck)`: then the same game can be played again.
  def choose(question)
    @luck.rand(question["legal"].size)
  end

  def hello(message)
    @hello = message
  end

  def start(message)
    @start = message
    @luck = Random.new(Zlib.crc32(message["seed"])) # its `hash` would be another one in each run
  end
end

# The wire: one JSON object a line; types and fields that are not known here are ignored.
class Wire
  def initialize
    @out = $stdout.dup
    @out.sync = true # or an answer would wait in a buffer, and the clock would run out
    $stdout.reopen($stderr)
    $stdout.sync = true
    $stdin.set_encoding(Encoding::UTF_8) # whatever the locale says
  end

  # Talk to the runner until it says bye or closes the pipe.
  def talk(bot)
    $stdin.each_line do |line|
      break unless line.end_with?("\n") # half a line: the runner has gone

      message = JSON.parse(line)
      case message["type"]
      when "hello"
        bot.hello(message)
        @takes_policies = message["policy"]
        say(@takes_policies ? { type: "ready", policy: true } : { type: "ready" })
      when "start" then bot.start(message)
      when "decide" then say({ type: "act", id: message["id"] }.merge(answer(bot.choose(message))))
      when "bye" then break
      end
    end
  end

  # What `act` says of a choice: a policy only to a runner that takes policies.
  def answer(choice)
    return { choose: choice } if choice.is_a?(Integer)

    @takes_policies ? choice : { choose: choice[:choose] }
  end

  def say(message)
    @out.write("#{JSON.generate(message)}\n")
  end
end

Wire.new.talk(Bot.new)
