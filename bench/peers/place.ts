/** Working area of one server: a root, a folder outside it, and a home directory without the user's files. @module */

/** Folders and environment of one server. */
export interface Place extends AsyncDisposable {
  /** Everything lies below it. */
  readonly dir: string;
  /** What the server may touch. */
  readonly root: string;
  /** What it must not touch, beside the root. */
  readonly outside: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Version managers put slow scripts in front of programs: only the system's own folders are searched. */
const SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Makes a place below the temporary folder. */
export async function makePlace(): Promise<Place> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmc-bench-" }));
  for (const name of ["root", "outside", "home", "state", "run"]) await Deno.mkdir(`${dir}/${name}`);
  return {
    dir,
    root: `${dir}/root`,
    outside: `${dir}/outside`,
    home: `${dir}/home`,
    env: {
      PATH: SEARCH_PATH,
      HOME: `${dir}/home`,
      XDG_STATE_HOME: `${dir}/state`,
      XDG_RUNTIME_DIR: `${dir}/run`,
      LANG: "C.UTF-8",
    },
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

/** Path of a program where servers look for it; undefined when it is not there. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of SEARCH_PATH.split(":")) {
    const path = `${folder}/${name}`;
    if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
  }
  return undefined;
}
