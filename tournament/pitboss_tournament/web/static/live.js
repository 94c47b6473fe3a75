// The page of a table in play: its games, one after the other, card by card.

import { make } from "./elements.js";
import { Replay } from "./replay.js";

const REST_MS = 3000; // from the end of a game's sequence to the next game
const RETRY_MS = 5000; // until a run or a server that was not there is looked for again
const CONTROLS = ".controls :is(button, input, select)";

class TablePage {
  constructor(bar, root) {
    this.root = root;
    this.table = bar.dataset.table;
    this.tournament = bar.dataset.tournament;
    this.replay = null;
    this.isOver = false;
    const home = make("a", {}, this.tournament);
    home.href = "../";
    this.said = make("p", { class: "state" });
    this.said.setAttribute("role", "status");
    this.said.tabIndex = -1;
    this.recorded = make("a", { class: "recorded" });
    this.nextButton = make("button", { type: "button", class: "next" }, "next game");
    this.nextButton.addEventListener("click", () => {
      this.connect();
      this.said.focus(); // the button is gone
    });
    const label = make("label", { class: "follow" }, "go on with the next game");
    this.follow = make("input", { type: "checkbox" });
    this.follow.checked = true;
    this.follow.addEventListener("change", () => this.considerNext());
    label.prepend(this.follow);
    bar.append(
      home,
      make("span", { class: "where" }, `table ${this.table}`),
      this.said,
      this.recorded,
      this.nextButton,
      label,
    );
    root.addEventListener("frame", () => this.considerNext());
    this.connect();
  }

  /** Look at the game in play, or else at the next one. */
  connect() {
    clearTimeout(this.rest);
    this.isOver = false;
    this.recorded.hidden = this.nextButton.hidden = true;
    this.say("Waiting for the game at this table …");
    this.listen();
  }

  listen() {
    this.events = new EventSource(`${location.pathname}/events`);
    const shows = { page: this.showPage, more: this.showMore, end: this.showEnd, gone: this.showGone };
    for (const [name, show] of Object.entries(shows)) {
      this.events.addEventListener(name, (event) => show.call(this, JSON.parse(event.data)));
    }
    this.events.addEventListener("error", () => this.showLoss());
  }

  say(text) {
    if (this.said.textContent !== text) this.said.textContent = text;
  }

  showPage({ game_id: game, replay: data }) {
    const before = this.replay;
    const isSame = before !== null && this.game === game; // the connection was lost, or the game is replayed
    const focused = [...this.root.querySelectorAll(CONTROLS)].indexOf(document.activeElement);
    const goesOn = !isSame || before.isAtEnd || before.timer !== 0;
    before?.close();
    this.game = game;
    this.replay = new Replay(this.root, data);
    if (before !== null) this.replay.lookAs(before.eyes);
    if (isSame) this.replay.go(before.frame, true);
    this.root.querySelectorAll(CONTROLS)[focused]?.focus();
    document.title = `Game ${game}, table ${this.table}: ${this.tournament}`;
    this.say(`Game ${game} is being played.`);
    if (goesOn) this.replay.catchUp();
  }

  showMore(part) {
    this.replay.extend(part);
  }

  showEnd({ is_finished: isFinished, is_stored: isStored, places, results }) {
    this.events.close();
    this.isOver = true;
    if (isFinished) this.replay.finish({ places, results });
    if (this.replay.timer) this.replay.play(); // all is there, and nobody need catch up any more
    this.recorded.hidden = !isStored;
    this.recorded.href = `../games/${this.game}`;
    this.recorded.textContent = `game ${this.game}, recorded`;
    this.nextButton.hidden = false;
    this.say(isFinished ? `Game ${this.game} is over.` : `Game ${this.game} was broken off; it is played again.`);
    this.considerNext();
  }

  showGone({ error }) {
    this.events.close();
    this.say(error ?? "This tournament is not being played now.");
    this.rest = setTimeout(() => this.listen(), RETRY_MS);
  }

  showLoss() {
    this.say("The server does not answer; trying again …");
    if (this.events.readyState === EventSource.CLOSED) this.rest = setTimeout(() => this.listen(), RETRY_MS);
  }

  /** Go on with the next game a moment after the end of this one's sequence. */
  considerNext() {
    if (!this.isOver) return;
    clearTimeout(this.rest);
    if (this.follow.checked && this.replay.isAtEnd) this.rest = setTimeout(() => this.connect(), REST_MS);
  }
}

new TablePage(document.getElementById("bar"), document.getElementById("replay"));
