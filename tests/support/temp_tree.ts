/** Temporary file trees for tests: created, compared as a whole, removed. @module */

/** A directory that vanishes with its scope. */
export interface TempTree extends AsyncDisposable {
  readonly root: string;
  /** Absolute path of a name in it. */
  path(name: string): string;
  /** Every entry with kind, mode, number of names and content. */
  snapshot(): Promise<Readonly<Record<string, string>>>;
}

/** Makes a tree; names that end in `/` are directories. */
export async function tempTree(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TempTree> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmc-test-" }));
  for (const [name, content] of Object.entries(files)) {
    const path = `${root}/${name}`;
    await Deno.mkdir(name.endsWith("/") ? path : path.slice(0, path.lastIndexOf("/")), { recursive: true });
    if (name.endsWith("/")) continue;
    await Deno.writeFile(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
  return {
    root,
    path: (name) => `${root}/${name}`,
    snapshot: () => snapshotOf(root),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

async function snapshotOf(root: string): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  const walk = async (directory: string) => {
    for await (const { name } of Deno.readDir(directory)) {
      const path = `${directory}/${name}`;
      const info = await Deno.lstat(path);
      const shape = `${((info.mode ?? 0) & 0o7777).toString(8)} x${info.nlink}`;
      const key = path.slice(root.length + 1);
      if (info.isSymlink) entries[key] = `link ${await Deno.readLink(path)}`;
      else if (info.isDirectory) {
        entries[key] = `dir ${((info.mode ?? 0) & 0o7777).toString(8)}`;
        await walk(path);
      } else entries[key] = `file ${shape} ${hex(await Deno.readFile(path))}`;
    }
  };
  await walk(root);
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => a < b ? -1 : 1));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
