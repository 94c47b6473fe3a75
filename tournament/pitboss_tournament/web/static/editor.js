// The editor: one file at a time, the Tab key, drafts that save themselves, trials without a reload.

import "./league.js";

const SAVE_PAUSE_MS = 1500; // without a key, after which a draft is saved
const LOOK_MS = 1000; // between looks at a trial that is not over
const LOGGED_OUT = 401;

const form = /** @type {HTMLFormElement} */ (document.querySelector("main form"));
const said = form.querySelector(".said");
const trial = document.getElementById("trial");
const place = form.querySelector(".place");
const links = [...form.querySelectorAll(".files a")];
const files = [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("section.file"))];

// ---- files

function show(number) {
  files.forEach((file, at) => (file.hidden = at !== number));
  links.forEach((link, at) => {
    if (at === number) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
}

links.forEach((link, number) =>
  link.addEventListener("click", (event) => {
    event.preventDefault();
    show(number);
    files[number].querySelector("textarea").focus();
  })
);
show(0);

// ---- keys

function sayPlace(field) {
  const before = field.value.slice(0, field.selectionStart).split("\n");
  place.textContent = `Line ${before.length}, column ${before.at(-1).length + 1}.`;
}

let leaves = false; // Escape was pressed: Tab leaves the text

/** Write text in place of what is selected, so that the browser can take it back. */
function write(field, text) {
  if (!document.execCommand("insertText", false, text)) {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function isTabbed(field) {
  return /^\t/m.test(field.value);
}

for (const file of files) {
  const field = file.querySelector("textarea");
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leaves = true;
    else if (event.key !== "Tab" && event.key !== "Shift") leaves = false;
    if (event.key === "Tab" && !event.shiftKey && !leaves && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      write(field, isTabbed(field) ? "\t" : "    ");
    } else if (event.key === "Enter" && !event.isComposing) {
      const line = field.value.slice(0, field.selectionStart).split("\n").at(-1);
      const indent = line.match(/^[ \t]*/)[0];
      if (indent) {
        event.preventDefault();
        write(field, `\n${indent}`);
      }
    }
  });
  field.addEventListener("blur", () => (leaves = false));
  for (const kind of ["keyup", "click", "input"]) field.addEventListener(kind, () => sayPlace(field));
}

// ---- sending

let isChanged = false;
let timer = 0;
/** @type {Promise<any>} */
let sending = Promise.resolve(null);

function say(text, isError = false) {
  said.className = isError ? "said error" : "said";
  said.textContent = text;
}

async function send(what) {
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  fields.set("do", what);
  isChanged = false;
  const answer = await fetch(form.action, {
    method: "POST",
    body: fields,
    headers: { accept: "application/json" },
  });
  if (answer.status === LOGGED_OUT) throw new Error("You are not logged in any more: log in again in another window.");
  const found = answer.headers.get("content-type")?.startsWith("application/json")
    ? await answer.json()
    : { error: `The league answers ${answer.status}.` };
  if (found.revision !== undefined && answer.status !== 409) {
    /** @type {any} */ (form.elements).revision.value = found.revision;
  }
  if (!answer.ok) throw new Error(found.error ?? "It was refused.");
  return found;
}

/** Send after what is being sent already; return what was answered, or null. */
function sendNext(what, words) {
  clearTimeout(timer);
  if (words) say(words);
  sending = sending.then(async () => {
    try {
      return await send(what);
    } catch (error) {
      isChanged = true;
      say(error instanceof TypeError ? "The league does not answer; your text is still here." : error.message, true);
      return null;
    }
  });
  return sending;
}

form.addEventListener("input", () => {
  isChanged = true;
  say("Not saved yet.");
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (await sendNext("save")) say(isChanged ? "Not saved yet." : "Saved.");
  }, SAVE_PAUSE_MS);
});

addEventListener("beforeunload", (event) => {
  if (isChanged) event.preventDefault();
});

const WORDS = { save: "Saving …", check: "It is being sent …", try: "It is being sent …", submit: "Submitting …" };

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const what = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value ?? "save";
  if (what === "drop" && !confirm("Throw this draft away? Nobody can bring it back.")) return;
  const buttons = form.querySelectorAll("button");
  buttons.forEach((button) => (button.disabled = true));
  const found = await sendNext(what, WORDS[what] ?? "");
  buttons.forEach((button) => (button.disabled = false));
  if (found === null) return;
  isChanged = false;
  if (found.leaves) return location.assign(found.go);
  say("Saved.");
  if (found.trial !== undefined) {
    look();
    trial.scrollIntoView({ block: "nearest" });
  }
});

// ---- the last trial

let isLooking = false;
let shown = "";
let isAsked = false; // there is something to look at that was not there at the last look

async function look() {
  isAsked = true;
  if (isLooking) return;
  isLooking = true;
  try {
    do {
      isAsked = false;
      const answer = await fetch(`${location.pathname}/trial`);
      if (answer.ok) {
        const next = await answer.text();
        if (next !== shown) {
          trial.innerHTML = next; // made by the server, as the page is
          shown = next;
          for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (trial.querySelectorAll("time[datetime]"))) {
            time.textContent = new Date(time.dateTime).toLocaleString(undefined, { timeStyle: "short" });
          }
        }
      }
      await new Promise((done) => setTimeout(done, LOOK_MS));
    } while (isAsked || trial.querySelector("[data-open]"));
  } catch {
    say("The league does not answer; your text is still here.", true);
  } finally {
    isLooking = false;
  }
}

if (trial.querySelector("[data-open]")) look();
