// What the check of play by clicks asks a page (tests/browser/clicks.py): what can be clicked, which clicks choose
// which action, and what is wrong with how the page looks.

window.clicks = (() => {
  const SMALLEST = 24; // pixels of what can be clicked, and of a card
  const MOST_CLICKS = 3; // that choose an action; one more plays it
  const SLACK = 2; // pixels that boxes may lie on each other
  const MOST_STATES = 20000; // of picks that are looked at
  const SMALL_FACE = 56; // pixels: a narrower card has a larger index
  const WIRE_WORDS = new RegExp(
    [
      "_|\\[object",
      "\\b(undefined|null|NaN|true|false)\\b",
      "\\b(as )?seat \\d",
      "\\b[SHDC](10|[2-9TJQKA])\\b|\\b(10|[2-9TJQKA])[SHDC]\\b", // cards as messages have them
    ].join("|"),
  );

  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const isOver = (a, b, slack = SLACK) =>
    a.left < b.right - slack && b.left < a.right - slack && a.top < b.bottom - slack && b.top < a.bottom - slack;
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const boxOf = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const isEmpty = (box) => box.right - box.left < 1 || box.bottom - box.top < 1;
  const centre = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const nameOf = (node) => {
    const words = node.ariaLabel ?? node.textContent.trim();
    const kind = node.className?.baseVal ?? node.className;
    return `${node.localName}.${String(kind).split(" ").join(".")} "${words.slice(0, 50)}"`;
  };

  /** Whether nobody sees a node, wherever it lies. */
  function isHidden(node) {
    for (let one = node; one instanceof Element; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return true;
      if (style.clipPath !== "none") return true;
    }
    return false;
  }

  /** Return what of a box is left by what clips it, and by which node that never scrolls something of it is cut. */
  function clip(box, node) {
    let [left, cutter] = [box, null];
    for (let one = node.parentElement; one && one !== document.documentElement; one = one.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(one);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const outer = boxOf(one);
      const isScroller = [overflowX, overflowY].some((way) => way === "auto" || way === "scroll");
      const next = meet(left, outer);
      const cuts = left.right - left.left - (next.right - next.left) > SLACK ||
        left.bottom - left.top - (next.bottom - next.top) > SLACK;
      if (cuts && !isScroller) cutter ??= one;
      if (isScroller && cuts) return { left: next, cutter, scroller: one };
      left = next;
    }
    const view = meet(left, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    const isCut = left.right - view.right > SLACK || view.left - left.left > SLACK ||
      left.bottom - view.bottom > SLACK || view.top - left.top > SLACK;
    if (isCut) cutter ??= document.documentElement;
    return { left: view, cutter, scroller: null };
  }

  /** Return what hides a node at a point: the first thing above it that one cannot see through. */
  function hiderOf(node, x, y) {
    if (getComputedStyle(node).pointerEvents === "none") return null; // what the browser does not tell
    for (const one of document.elementsFromPoint(x, y)) {
      if (one === node || node.contains(one) || one.contains(node)) return null;
      if (one.closest("svg")) return one.closest(".card") ?? one.closest("svg");
      const { backgroundColor, backgroundImage } = getComputedStyle(one);
      const [, alpha] = backgroundColor.match(/rgba\(.*, ([\d.]+)\)/) ?? [];
      if (backgroundImage !== "none" || (alpha === undefined ? backgroundColor !== "transparent" : +alpha > 0.5)) {
        return one;
      }
    }
    return null;
  }

  /** Whether something that one has asked for, or a sheet, lies on a node. */
  function isBehindSheet(node) {
    return all(".sheet:not([hidden]), .side:not([hidden])").some((sheet) =>
      !sheet.contains(node) && isOver(boxOf(sheet), boxOf(node), 0)
    );
  }

  // ---- texts

  function listTexts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!node.data.trim() || parent.closest("svg, option, script, style") || isHidden(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, top, right, bottom } of range.getClientRects()) {
        const lead = (bottom - top) * 0.16; // above and below the letters
        found.push({
          node: parent,
          text: node.data.trim(),
          box: { left, top: top + lead, right, bottom: bottom - lead },
        });
      }
    }
    return found;
  }

  /** Return an ancestor that ends a text with dots, and says the whole of it elsewhere. */
  function hasEllipsis(node) {
    for (let one = node; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      const isShort = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      if (isShort) return one.closest("[title]:not([title=''])") !== null;
    }
    return false;
  }

  function findTextFaults() {
    const faults = [];
    const seen = [];
    for (const one of listTexts()) {
      const { node, text, box } = one;
      if (WIRE_WORDS.test(text) && !node.matches(".avatar")) faults.push(`wire words: "${text.slice(0, 80)}"`);
      const { left, cutter } = clip(box, { parentElement: node });
      if (cutter && !hasEllipsis(node)) {
        faults.push(
          `text is cut: "${text.slice(0, 60)}" of ${
            nameOf(node.closest("[class]") ?? node)
          } by ${cutter.localName}.${cutter.className}`,
        );
      }
      if (isEmpty(left) || isBehindSheet(node)) continue;
      const hider = hiderOf(node, ...centre(left));
      if (hider) faults.push(`text is hidden: "${text.slice(0, 60)}" under ${nameOf(hider)}`);
      const other = seen.find((before) => before.node !== node && isOver(before.box, left));
      if (other) faults.push(`texts lie on each other: "${text.slice(0, 40)}" and "${other.text.slice(0, 40)}"`);
      seen.push({ ...one, box: left });
    }
    return faults;
  }

  function findWordFaults(names) {
    const said = new Set(listTexts().map((one) => one.text));
    return [...said].flatMap((text) =>
      names.filter((name) => text.split(/[^\w-]+/).includes(name)).map((name) => `wire word ${name}: "${text}"`)
    );
  }

  // ---- cards and plates

  function listCards() {
    return all(".table .card").filter((node) => !isHidden(node)).map((node) => {
      const zone = node.closest(".zone");
      return { node, zone, box: boxOf(node), isOpen: node.ariaLabel !== null && node.ariaLabel !== "a hidden card" };
    });
  }

  function findCardFaults() {
    const faults = [];
    const cards = listCards();
    for (const { node, zone, box, isOpen } of cards) {
      const name = `${node.ariaLabel ?? "a place"} of ${zone.dataset.name}`;
      const { cutter } = clip(box, node);
      if (cutter) faults.push(`card is cut: ${name} by ${cutter.localName}.${cutter.className}`);
      const width = box.right - box.left;
      if (width < SMALLEST && !zone.parentElement.matches(".seat:not(.near)")) {
        faults.push(`card is ${Math.round(width)} px wide: of ${zone.dataset.name}`);
      }
      const isUnder = zone.matches(".pile, .deep") && node !== node.parentElement.lastElementChild;
      const isFan = zone.matches(".seat:not(.near) .zone") && zone.querySelector('[aria-label="a hidden card"]');
      if (!isOpen || isUnder || isFan || isBehindSheet(node)) continue;
      const points = width < SMALL_FACE ? [[0.2, 0.28], [0.24, 0.72]] : [[0.12, 0.16], [0.12, 0.36]];
      for (const [right, down] of points) {
        const hider = hiderOf(node, box.left + right * width, box.top + down * width);
        if (hider && !(hider.matches(".picked") && hider.closest(".zone") === zone)) {
          faults.push(`index is hidden: ${name} under ${nameOf(hider)}`);
          break;
        }
      }
    }
    cards.forEach((one, at) =>
      cards.slice(0, at).forEach((other) => {
        if (one.zone !== other.zone && isOver(one.box, other.box)) {
          faults.push(`zones lie on each other: ${other.zone.dataset.name} and ${one.zone.dataset.name}`);
        }
      })
    );
    return faults;
  }

  function findPlateFaults() {
    const faults = [];
    const boxes = all(
      ".plate, .instruments, .facts, .facts .count, .bet, .badge, .zone-name, .last, .by, .rack .place, .sheet, .panel",
    )
      .filter((node) => node.textContent && !isHidden(node));
    for (const node of boxes) {
      const { cutter } = clip(boxOf(node), node);
      if (cutter) faults.push(`cut: ${nameOf(node)} by ${cutter.localName}.${cutter.className}`);
    }
    const plates = all(".plate").filter((node) => !isHidden(node));
    plates.forEach((one, at) =>
      plates.slice(0, at).forEach((other) => {
        if (isOver(boxOf(one), boxOf(other))) faults.push(`plates lie on each other: ${nameOf(one)} ${nameOf(other)}`);
      })
    );
    return faults;
  }

  // ---- what can be clicked

  /** Return what of a card other cards of its zone leave to be seen. */
  function cutByFan(node) {
    let box = boxOf(node);
    const later = [...node.parentElement.children].slice([...node.parentElement.children].indexOf(node) + 1).map(boxOf);
    for (const other of later) {
      const isBelow = other.top > box.top + 4 && other.left <= box.left + 4 && other.right > box.left;
      if (isBelow && isOver(box, other)) box = { ...box, bottom: other.top };
    }
    for (const other of later) if (isOver(box, other) && other.left > box.left) box = { ...box, right: other.left };
    return box;
  }

  function seenPart(node) {
    const card = node.matches(".touch") ? node.closest(".card") : null;
    return clip(card ? cutByFan(card) : boxOf(node), node);
  }

  /** Return what stands for something to choose on the page: with `node`, and what it means. */
  function listTargets() {
    const cards = all(".table .card > .touch").map((node) => {
      const card = node.parentElement;
      return card.matches(".slot")
        ? { node, kind: "slot", value: +card.dataset.label }
        : { node, kind: "card", value: faceOf(card.ariaLabel), token: card };
    });
    const zones = all(".zone > .place > .touch").map((node) => ({
      node,
      kind: "zone",
      value: node.closest(".zone").dataset.name,
    }));
    const seats = all(".plate > .touch").map((node) => ({
      node,
      kind: "seat",
      value: +node.closest(".seat").dataset.seat,
    }));
    const buttons = all('[data-key^="action "]').filter((node) => !node.closest(".actions")).map((node) => ({
      node,
      kind: "button",
      value: +node.dataset.key.split(" ")[1],
    }));
    return [...cards, ...zones, ...seats, ...buttons].filter(({ node }) => !isHidden(node));
  }

  function findTargetFaults() {
    const faults = [];
    const nodes = all("button, input, select, a[href], summary").filter((node) =>
      !isHidden(node) && !node.disabled && !isBehindSheet(node) && !node.closest("[hidden]")
    );
    for (const node of nodes) {
      const { left, scroller } = seenPart(node);
      const [width, height] = [left.right - left.left, left.bottom - left.top];
      if (scroller && Math.min(width, height) < SMALLEST) continue; // one scrolls to it
      const name = `${nameOf(node)}${node.closest(".zone") ? ` of ${node.closest(".zone").dataset.name}` : ""}`;
      if (Math.min(width, height) < SMALLEST) {
        faults.push(`too small to click: ${name}, ${Math.round(width)} x ${Math.round(height)}`);
      }
      const [x, y] = centre(left);
      const hit = document.elementFromPoint(x, y);
      const own = node.matches(".touch") ? node.parentElement : node;
      const isInZone = node.matches(".place > .touch") && node.closest(".zone").contains(hit);
      if (!own.contains(hit) && !hit?.closest("label")?.contains(node) && !isInZone) {
        faults.push(`cannot be hit: ${name}, but ${hit ? nameOf(hit) : "nothing"}`);
      }
    }
    return faults;
  }

  function findHintFaults() {
    const hint = all(".panel .hint").filter((node) => !isHidden(node)).map((node) => node.textContent).join(" ");
    const targets = listTargets().filter(({ node }) => !isEmpty(seenPart(node).left));
    const isFramed = ({ node }) => getComputedStyle(node).boxShadow !== "none";
    const onTable = targets.filter(({ kind }) => kind !== "button");
    const faults = [];
    if (/framed/.test(hint) && !onTable.some(isFramed)) faults.push(`hint frames nothing: "${hint}"`);
    if (/\bcards?\b/.test(hint) && !onTable.some(({ kind }) => kind === "card")) {
      faults.push(`hint means no card: "${hint}"`);
    }
    if (document.querySelector(".panel .turn") && !document.querySelector(".panel .confirm") && !targets.length) {
      faults.push(`nothing can be clicked: "${hint}"`);
    }
    return faults;
  }

  // ---- from clicks to actions

  const faces = new Map(); // by the name of the card

  function faceOf(name) {
    if (!faces.size) {
      for (const [face, look] of Object.entries(window.told.game.data.sequence.looks)) faces.set(look.name, face);
    }
    return faces.get(name);
  }

  /** Return a list of clicks for each action that at most three of them choose, by its index. */
  async function plan() {
    const { Choices } = await import("/static/choices.js");
    const { actions } = window.told.status.question;
    const drawn = new Set(all(".zone").map((node) => node.dataset.name));
    const plans = new Map(actions.length === 1 ? [[0, []]] : []);
    const note = (index, clicks) => plans.has(index) || plans.set(index, clicks);
    const shown = listTargets();
    for (const { kind, value } of shown) if (kind === "button") note(value, [{ kind, value }]);
    const cards = shown.filter(({ kind }) => kind === "card");
    const places = [
      ...all(".near .card[data-label]").map((node) => ({ kind: "slot", value: +node.dataset.label })),
      ...[...drawn].map((value) => ({ kind: "zone", value })),
      ...all(".seat").map((node) => ({ kind: "seat", value: +node.dataset.seat })),
    ];
    const isShown = ({ kind, value }) => shown.some((one) => one.kind === kind && one.value === value);
    const seen = new Set();
    let level = [{ state: new Choices(actions, drawn), clicks: [] }];
    for (let depth = 1; depth <= MOST_CLICKS && plans.size < actions.length && seen.size < MOST_STATES; depth++) {
      const next = [];
      for (const { state, clicks } of level) {
        for (const [at, target] of [...cards, ...places].entries()) {
          if (clicks.some((one) => one.at === at) || (depth === 1 && !isShown(target))) continue;
          const after = [...clicks, { kind: target.kind, value: target.value, at }];
          const key = after.map((one) => one.at).sort((one, other) => one - other).join();
          if (seen.has(key)) continue;
          const picked = pick(Choices, state, target);
          if (!picked) continue;
          seen.add(key);
          const found = picked.find();
          if (found !== undefined) note(found, after);
          else if (depth < MOST_CLICKS) {
            for (const index of picked.listButtons()) note(index, [...after, { kind: "button", value: index }]);
          }
          next.push({ state: picked, clicks: after });
        }
      }
      level = next;
    }
    return actions.map((_, index) => plans.get(index) ?? null);
  }

  /** Return the choices after another pick; null if the page does not take it. */
  function pick(Choices, state, { kind, value, token }) {
    const { cards, slot, zone, seat } = state;
    const next = Object.assign(new Choices(state.actions, state.drawn), { cards, slot, zone, seat, named: undefined });
    if (kind === "card" ? !next.takesCard(token, value) : !next.takesPlace(kind, value)) return null;
    if (kind === "card") next.pickCard(token, value);
    else next.pickPlace(kind, value);
    const isKept = cards.every((card) => next.cards.includes(card)) &&
      [[slot, next.slot], [zone, next.zone], [seat, next.seat]].every(([one, other]) =>
        one === undefined || one === other
      );
    return isKept && next.list().length ? next : null;
  }

  /** Return the point where a click hits what is meant, scrolled to if need be; null if there is none on the page. */
  function pointAt({ kind, value }, isPicked) {
    const found = listTargets().filter((one) =>
      one.kind === kind && one.value === value &&
      (kind === "button" || (one.node.ariaPressed === "true") === Boolean(isPicked))
    );
    for (const { node } of found) {
      if (seenPart(node).scroller) node.scrollIntoView({ block: "nearest" });
      const [x, y] = centre(seenPart(node).left);
      const hit = document.elementFromPoint(x, y);
      if (node.parentElement.contains(hit) || node.closest(".zone")?.contains(hit)) return [x, y];
    }
    return null;
  }

  function pointOf(query) {
    const node = document.querySelector(query);
    if (!node) return null;
    if (seenPart(node).scroller) node.scrollIntoView({ block: "nearest" });
    return centre(seenPart(node).left);
  }

  function findFaults(names) {
    return [
      ...new Set([
        ...findTextFaults(),
        ...findWordFaults(names),
        ...findCardFaults(),
        ...findPlateFaults(),
        ...findTargetFaults(),
        ...findHintFaults(),
      ]),
    ];
  }

  return { findFaults, plan, pointAt, pointOf };
})();
