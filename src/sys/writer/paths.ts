/** Path arithmetic on real paths, and the names of temporary files. @module */

/** Whether a path is a directory or lies in it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

/** The directory that holds an entry; `/` for `/`. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** A name in the same directory that nobody can guess and everybody can recognise: `.llmc-<24 hex digits>.tmp`. */
export function temporaryBeside(path: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const parent = parentOf(path);
  return `${parent === "/" ? "" : parent}/.llmc-${hex(bytes)}.tmp`;
}

/** Whether an entry is one that {@link temporaryBeside} named. */
export function isTemporary(name: string): boolean {
  return /^\.llmc-[0-9a-f]{24}\.tmp$/.test(name);
}

/** Bytes in lower case hex. */
function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
