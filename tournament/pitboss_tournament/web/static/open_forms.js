// Open actions: those that are checked and not listed. A person fills in a form, and the server checks it.

import { make } from "./elements.js";

/** The forms of a question. What was typed stays while the page is drawn again. */
export class OpenForms {
  /** `send` is told the filled-in action. */
  constructor(send) {
    this.send = send;
    this.question = undefined;
    this.typed = new Map(); // by the key of a field
  }

  /** Return a form for each kind of open action of a question. */
  make({ number, forms = [] }) {
    if (number !== this.question) this.typed.clear();
    this.question = number;
    return forms.map((form) => this.makeForm(form));
  }

  makeForm({ word, meaning, fields }) {
    const inputs = fields.map((field) => this.makeField(word, field));
    const labels = inputs.map((input, at) => make("label", { title: fields[at].meaning }, fields[at].name, input));
    const play = make("button", { type: "submit", title: meaning, "data-key": `open ${word}` }, word);
    const form = make("form", { class: "open", "aria-label": meaning || word }, ...labels, play);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const action = { do: word };
      for (const [at, field] of fields.entries()) {
        try {
          action[field.name] = readInput(inputs[at], field);
        } catch {
          inputs[at].setCustomValidity(`${field.name}: ${field.allowed}, as JSON`);
          inputs[at].reportValidity();
          return;
        }
      }
      this.send(action);
    });
    return form;
  }

  makeField(word, field) {
    const key = `open ${word} ${field.name}`;
    const input = makeInput(field, key);
    if (this.typed.has(key)) setInput(input, field, this.typed.get(key));
    input.addEventListener("input", () => {
      input.setCustomValidity("");
      this.typed.set(key, field.kind === "flag" ? input.checked : input.value);
    });
    return input;
  }
}

function makeInput({ kind, allowed, least, most, choices = [] }, key) {
  const attributes = { "data-key": key, title: allowed };
  if (kind === "choice") {
    const options = choices.map((one) => make("option", { value: JSON.stringify(one) }, String(one)));
    return make("select", attributes, ...options);
  }
  if (kind === "flag") return make("input", { type: "checkbox", ...attributes });
  if (kind !== "number") return make("input", { type: "text", required: kind === "json", ...attributes });
  const range = { min: least, max: most, step: 1, value: least ?? 0, required: true };
  return make("input", { type: "number", ...attributes, ...range });
}

function setInput(input, { kind }, value) {
  if (kind === "flag") input.checked = value;
  else input.value = value;
}

/** Return what was filled in as a value of JSON; raise a SyntaxError if it is none. */
function readInput(input, { kind }) {
  if (kind === "flag") return input.checked;
  if (kind === "number") return input.valueAsNumber;
  return kind === "text" ? input.value : JSON.parse(input.value);
}
