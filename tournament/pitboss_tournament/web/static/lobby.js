// The pages of a lobby: what they show is read from the server again whenever something there has changed.

const AGAIN_MS = 1000; // before another attempt to reach the server

class LobbyPage {
  constructor() {
    this.version = null;
    this.connect();
  }

  connect() {
    const path = location.pathname === "/" ? "/socket" : `${location.pathname.replace(/\/(sit|seat)$/, "")}/socket`;
    this.socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${path}`);
    this.socket.addEventListener("message", ({ data }) => this.follow(data));
    this.socket.addEventListener("close", ({ reason }) => reason || setTimeout(() => this.connect(), AGAIN_MS));
  }

  /** Take over what has changed since the page was loaded: first version or another one. */
  async follow(version) {
    if (version === this.version) return;
    this.version = version;
    const path = location.pathname.replace(/\/(sit|seat)$/, "");
    const answer = await fetch(`${path}${location.search}`);
    if (new URL(answer.url).pathname !== path) return location.assign(answer.url); // the game begins
    if (!answer.ok) return location.assign("/"); // the table is closed
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const now = page.querySelector(`[data-live="${part.getAttribute("data-live")}"]`);
      const isUsed = part.contains(document.activeElement) && document.activeElement?.matches("select");
      if (now && !isUsed && now.innerHTML !== part.innerHTML) part.replaceWith(document.adoptNode(now));
    }
  }
}

new LobbyPage();
