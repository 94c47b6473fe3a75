// Sounds of a page of play, made by the browser: a card, one's turn, the end. A page that nobody has touched is silent.

import { makeButton } from "./elements.js";
import { keepSetting, readSetting } from "./settings.js";

const SETTING = "sound";
const VOLUME = 0.12;
const NOTES = { // [hertz, seconds until it begins, seconds that it lasts]
  card: [[196, 0, 0.05]],
  turn: [[659, 0, 0.14], [880, 0.11, 0.22]],
  end: [[523, 0, 0.18], [659, 0.14, 0.18], [784, 0.28, 0.42]],
};

export class Sounds {
  constructor() {
    this.isMuted = readSetting(SETTING) === "off";
    this.context = null; // until the person has clicked, or pressed a key
    const wake = () => this.context ??= new AudioContext();
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake, { once: true, capture: true });
  }

  /** Return the button that mutes the page. */
  makeButton() {
    const label = () => this.isMuted ? "turn the sound on" : "turn the sound off";
    const button = makeButton("♪", () => {
      this.isMuted = !this.isMuted;
      keepSetting(SETTING, this.isMuted ? "off" : "on");
      for (const name of ["aria-label", "title"]) button.setAttribute(name, label());
      button.classList.toggle("muted", this.isMuted);
    }, { class: this.isMuted ? "look sound muted" : "look sound", "aria-label": label() });
    return button;
  }

  /** Sound "card", "turn" or "end". */
  play(name) {
    const { context } = this;
    if (!context || this.isMuted || document.hidden) return;
    for (const [hertz, after, lasts] of NOTES[name]) {
      const [tone, gain] = [context.createOscillator(), context.createGain()];
      const begin = context.currentTime + after;
      tone.type = "triangle";
      tone.frequency.value = hertz;
      gain.gain.setValueAtTime(0, begin);
      gain.gain.linearRampToValueAtTime(VOLUME, begin + 0.01);
      gain.gain.exponentialRampToValueAtTime(0.001, begin + lasts);
      tone.connect(gain).connect(context.destination);
      tone.start(begin);
      tone.stop(begin + lasts);
    }
  }
}
