// The page of a game as a file: its data are in it as JSON, compressed (zlib, base64).

import { Replay } from "./replay.js";

const block = document.getElementById("replay-data");
showPacked(document.getElementById("replay"), block.textContent);

async function showPacked(root, text) {
  if (!("DecompressionStream" in window)) {
    root.textContent = "This browser is too old for the replay: it takes one of 2023 or later.";
    return;
  }
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const inflate = new window["DecompressionStream"]("deflate"); // by this name: not all compilers know it
  new Replay(root, await new Response(new Blob([bytes]).stream().pipeThrough(inflate)).json());
}
