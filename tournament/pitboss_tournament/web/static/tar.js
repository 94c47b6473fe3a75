// A folder as a tar archive (ustar), packed in the browser.

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

/** Return the archive of the files of a folder, or of single files; not hidden ones, and not what a build has made. */
export async function packFolder(files) {
  const parts = [];
  for (const file of files) {
    const path = file.webkitRelativePath ? file.webkitRelativePath.split("/").slice(1) : [file.name];
    if (path.some((part) => part.startsWith(".")) || path[0] === "build") continue;
    const content = new Uint8Array(await file.arrayBuffer());
    parts.push(
      makeHeader(path.join("/"), content.length),
      content,
      new Uint8Array((BLOCK - (content.length % BLOCK)) % BLOCK),
    );
  }
  return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
}

function makeHeader(path, size) {
  const header = new Uint8Array(BLOCK);
  const [prefix, name] = splitPath(path);
  const write = (text, place) => header.set(new TextEncoder().encode(text), place);
  const octal = (value, digits) => value.toString(8).padStart(digits, "0");
  write(name, 0);
  write("0000755\0" + "0000000\0".repeat(2), NAME_BYTES);
  write(`${octal(size, 11)}\0${octal(0, 11)}\0`, 124);
  write(" ".repeat(8), 148); // the checksum, while it is computed
  write("0", 156); // a regular file
  write("ustar\x0000", 257);
  write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** Return a path as prefix and name; the header has little room for each. */
function splitPath(path) {
  const bytes = (text) => new TextEncoder().encode(text).length;
  if (bytes(path) <= NAME_BYTES) return ["", path];
  for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1)) {
    const [prefix, name] = [path.slice(0, cut), path.slice(cut + 1)];
    if (bytes(name) <= NAME_BYTES && bytes(prefix) <= PREFIX_BYTES) return [prefix, name];
  }
  throw new Error(`the name of ${path} is too long for an archive`);
}
