# A bot in Perl, with the modules that come with it only. It plays any game of Pitboss, at random.
#
# The function to change is `choose`, below: it gets a question and returns the index of one of its legal actions.
# What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
#
#     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
#     pitboss match GAME . house:random     let it play
#
# Standard output is the wire, but `print` and `warn` are safe: both go to standard error here; `pitboss log` shows it.

use strict;
use warnings;
use utf8;
use JSON::PP;    # JSON::XS, where it is installed, does the same many times faster

my $hello = {};    # of this process: game, options, seats, clock
my $start = {};    # of this game: players, seed

# Answer a question with an index into $question->{legal}. Write your own bot here.
#
# $question has seat (yours, from 0, clockwise), phase (what is to be decided), legal (all actions that you may choose from),
# view (all that you may know now) and clock (the time left). $hello and $start have the rest.
# For example, the first action that plays, else the first of all:
#
#     my @legal = @{ $question->{legal} };
#     my ($at) = grep { $legal[$_]{do} eq 'play' } 0 .. $#legal;
#     return $at // 0;
#
# A bot that draws may state the probabilities that it drew with (docs: stated policies):
#
#     return { choose => $at, policy => [[0, 0.25], [1, 0.75]] };
#
# rand and shuffle are begun from the seed of each game, so that the same game can be played again; but what `keys` gives comes
# in another order in each run: sort it.
sub choose {
    my ($question) = @_;
    return int rand @{ $question->{legal} };
}

# ---- the wire: one JSON object a line; types and fields that are not known here are ignored

open my $wire, '>&', \*STDOUT or die "cannot copy standard output: $!\n";
open STDOUT, '>&', \*STDERR or die "cannot lead standard output to standard error: $!\n";
$wire->autoflush(1);    # or an answer would wait in a buffer, and the clock would run out
STDOUT->autoflush(1);
binmode $_, ':encoding(UTF-8)' for *STDOUT, *STDERR;

my $json = JSON::PP->new->utf8;

while (my $line = <STDIN>) {
    last if $line !~ /\n\z/;    # half a line: the runner has gone
    my $message = $json->decode($line);
    my $type    = $message->{type};
    if ($type eq 'hello') {
        $hello = $message;
        say_to_runner({ type => 'ready', $hello->{policy} ? (policy => JSON::PP::true) : () });
    }
    elsif ($type eq 'start') {
        $start = $message;
        srand number_of($start->{seed});
    }
    elsif ($type eq 'decide') {
        my $choice = choose($message);
        my %answer = ref $choice ? %{$choice} : (choose => $choice);
        delete $answer{policy} if !$hello->{policy};    # the runner takes no policies
        say_to_runner({ type => 'act', id => $message->{id}, %answer });
    }
    elsif ($type eq 'bye') {
        last;
    }
}

sub say_to_runner {
    my ($message) = @_;
    print {$wire} $json->encode($message), "\n";
    return;
}

# Return a number of 32 bits for a text.
sub number_of {
    my ($text) = @_;
    my $number = 0;
    $number = ($number * 31 + ord) % 2**32 for split //, $text;
    return $number;
}
