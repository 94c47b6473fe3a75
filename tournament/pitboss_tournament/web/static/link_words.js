// The words of a link, a token or an invitation: put into the form that sends them, and taken out of the address.

import "./league.js";

const BEGIN = "#pitboss-";

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-link-words]"));
if (field && location.hash.startsWith(BEGIN)) {
  field.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const label = field.closest("label");
  const said = document.createElement("p");
  said.className = "soft";
  said.textContent = `The link has brought your ${field.dataset.linkWords}.`;
  label.hidden = true;
  label.after(said);
  /** @type {HTMLElement} */
  const first = field.form.querySelector("input:not([type=hidden]):not([data-link-words]), button");
  first.focus();
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-copies]"))) {
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener("click", async () => {
    const copied = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copies));
    await navigator.clipboard.writeText(copied.value);
    button.textContent = "Copied";
  });
}
