// What a person has set on a page, kept in the browser.

const PREFIX = "pitboss.";

/** Return what was set under a name; null if nothing was, or the browser keeps nothing. */
export function readSetting(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Keep a text under a name, if the browser keeps anything. */
export function keepSetting(name, text) {
  try {
    localStorage.setItem(PREFIX + name, text);
  } catch { /* it is set until the page is closed */ }
}
