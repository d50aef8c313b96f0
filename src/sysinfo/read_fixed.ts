/** Reads small kernel files that may be absent. @module */

/** Text of a file without its last line end; empty when it cannot be read. */
export async function readFixed(path: string): Promise<string> {
  try {
    return (await Deno.readTextFile(path)).replace(/\n$/, "");
  } catch {
    return ""; // not on this machine, or not for this user
  }
}

/** Texts of those files that exist, by the names given for them. */
export async function readAllFixed(paths: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const texts = await Promise.all(
    Object.entries(paths).map(async ([name, path]) => [name, await readFixed(path)] as const),
  );
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

/** Names in a directory, sorted; none when it cannot be read. */
export async function listFixed(path: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name).sort();
  } catch {
    return []; // not on this machine
  }
}
