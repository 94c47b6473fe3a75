<?php

// A bot in PHP 8, without extensions. It plays any game of Pitboss, at random.
//
// The function to change is choose(), below: it gets a question and returns the index of one of its legal actions.
// What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
//
//     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
//     pitboss match GAME . house:random     let it play
//
// Standard output is the wire, but `echo` and print_r are safe: they go to standard error here; `pitboss log` shows it.

declare(strict_types=1);

/**
 * Answer a question with an index into $question['legal']. Write your own bot here.
 *
 * $question has seat (yours, from 0, clockwise), phase (what is to be decided), legal (all actions that you may choose from),
 * view (all that you may know now) and clock (the time left). $hello has game, options, seats and clock; $start has players and
 * seed. For example, the first action that plays, else the first of all:
 *
 *     return (int) array_search('play', array_column($question['legal'], 'do'), true);
 *
 * mt_rand, shuffle and array_rand are begun from the seed of each game, so that the same game can be played again.
 *
 * @param array<string, mixed> $question
 * @param array<string, mixed> $hello
 * @param array<string, mixed> $start
 */
function choose(array $question, array $hello, array $start): int
{
    return mt_rand(0, count($question['legal']) - 1);
}

// ---- the wire: one JSON object a line; types and fields that are not known here are ignored

/** Talk to the runner until it says bye or closes the pipe. */
function talk(): void
{
    $hello = $start = [];
    while (($line = fgets(STDIN)) !== false && str_ends_with($line, "\n")) { // half a line: the runner has gone
        $message = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
        switch ($message['type']) {
            case 'hello':
                $hello = $message;
                say(['type' => 'ready']);
                break;
            case 'start':
                $start = $message;
                mt_srand(crc32($start['seed']));
                break;
            case 'decide':
                say(['type' => 'act', 'id' => $message['id'], 'choose' => choose($message, $hello, $start)]);
                break;
            case 'bye':
                return;
        }
    }
}

/**
 * Send a line; PHP keeps no buffer before STDOUT.
 *
 * @param array<string, mixed> $message
 */
function say(array $message): void
{
    fwrite(STDOUT, json_encode($message, JSON_THROW_ON_ERROR) . "\n");
}

// What is echoed comes here, as soon as it is echoed.
ob_start(static function (string $echoed): string {
    fwrite(STDERR, $echoed);
    return '';
}, 1);

talk();
