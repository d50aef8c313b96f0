/** Finds secret files in the roots and updates the masker with their contents. @module */
import { baseName } from "../../core/path.ts";
import { type FileValue, isSecretFile, readFileValues } from "../../core/secrets/file_values.ts";
import type { Masker } from "../../core/secrets/masker.ts";
import { settlesWithin, sleep } from "../../core/time.ts";
import { ifThere } from "./exists.ts";
import { readRegularSync } from "./open_file.ts";
import { piecesOf } from "../mask_in_pieces.ts";
import { makePacer } from "../pacer.ts";
import { readDirectory, subdirectories, type WalkDirectory, walkRoot } from "./walk.ts";

/** Files whose secrets are masked, up to date whenever something is about to be masked. */
export interface SecretFiles {
  /** Reads what changed; the first time it also waits a moment for the search through the roots. */
  refresh(): Promise<void>;
  /** Looks at a file that a call names; it may be new. @param path Real path. */
  look(path: string): Promise<void>;
  /** How far the search is, after it had so much time. */
  search(patienceMs: number): Promise<SecretSearch>;
  /** Ends the search, and waits for its end. */
  close(): Promise<void>;
}

/** What was looked through. */
export interface SecretSearch {
  /** Folders that were looked through, and those that are beyond the bound. */
  readonly folders: number;
  readonly foldersLeftOut: number;
  /** Files that hold secrets. */
  readonly files: number;
  /** Whether the first search has come to its end. */
  readonly isDone: boolean;
}

/** What the search needs. */
export interface SecretFilesDeps {
  /** Real paths. */
  readonly roots: readonly string[];
  /** Real paths of files and folders whose secrets are shown. */
  readonly allowed: readonly string[];
  /** Real paths that are not looked into. */
  readonly closed: readonly string[];
  readonly masker: Masker;
  readonly now: () => number;
}

const MAX_FILE_BYTES = 256 * 1024, MAX_FILES = 500, MAX_ALLOWED_FILES = 2_000;
/** Values in all: so many are looked for in every text. */
const MAX_VALUES = 4_000;
/** Breadth first, so that what is left out lies deep. */
const MAX_FOLDERS = 20_000;
/** Folders of the system, where a root holds them. */
const SYSTEM: ReadonlySet<string> = new Set("/usr /lib /lib64 /bin /sbin /boot /proc /sys /dev /nix /snap".split(" "));
/** Folders of installed packages and of build results. */
const SKIPPED: ReadonlySet<string> = new Set(
  "node_modules .git target dist build venv .venv __pycache__ site-packages vendor .cache .npm .cargo .rustup".split(
    " ",
  ),
);
const FIRST_WAIT_MS = 150, SEARCH_EVERY_MS = 30_000;
/** A search begins again so many times later than it took. */
const SHARE = 50;
/** A search that goes on for longer than calls wait for it pauses for so long after each slice. */
const REST_MS = 16;
/** What it finds meanwhile is masked from then on. */
const TELL_EVERY_MS = 500;

/** A file as it was read. */
interface Known {
  readonly stamp: string;
  readonly values: readonly FileValue[];
}

/** Makes the service; nothing is read before the first call. */
export function makeSecretFiles({ roots, allowed, closed, masker, now }: SecretFilesDeps): SecretFiles {
  const hidden = new Map<string, Known>(), stop = new AbortController();
  const shownValues: FileValue[] = [];
  let searching: Promise<void> | undefined, nextSearchMs = 0, isFirst = true, waitUntilMs = 0;
  let seen = { folders: 0, foldersLeftOut: 0 };

  /** Whether something was read that the masker does not know yet. */
  let isNews = false, toldMs = -Infinity;

  const tell = () => {
    [isNews, toldMs] = [false, now()];
    masker.learn([...hidden.values()].flatMap(({ values }) => values).slice(0, MAX_VALUES), shownValues);
  };

  /** Whether something changed. */
  const read = async (path: string): Promise<boolean> => {
    const before = hidden.get(path)?.stamp, stamp = stampOf(path);
    if (stamp === before) return false;
    if (stamp === undefined) return hidden.delete(path);
    if (hidden.size >= MAX_FILES && before === undefined) return false;
    hidden.set(path, { stamp, values: await valuesOf(path, stop.signal) });
    return true;
  };

  const search = async (): Promise<void> => {
    const startedMs = now();
    waitUntilMs = startedMs + FIRST_WAIT_MS;
    if (isFirst) { for (const path of allowed) await readAllowed(path); }
    seen = { folders: 0, foldersLeftOut: 0 };
    isNews ||= isFirst;
    for await (const path of filesBelow(roots, isSecretFile)) isNews = await read(path) || isNews;
    if (isNews) tell();
    isFirst = false;
    nextSearchMs = now() + Math.max(SEARCH_EVERY_MS, (now() - startedMs) * SHARE);
  };

  const readAllowed = async (path: string): Promise<void> => {
    const add = async (file: string) => {
      shownValues.push(...(await valuesOf(file, stop.signal)).slice(0, MAX_VALUES - shownValues.length));
    };
    if (ifThere(() => Deno.statSync(path).isFile)) return await add(path);
    let count = 0;
    for await (const file of filesBelow([path], () => true)) {
      if (++count > MAX_ALLOWED_FILES) return;
      await add(file);
    }
  };

  async function* filesBelow(folders: readonly string[], wants: (name: string) => boolean): AsyncGenerator<string> {
    const options = { includeHidden: true, respectIgnore: false, closed };
    const slice = makePacer(stop.signal);
    const pacer = async () => {
      const turn = slice();
      if (turn === undefined) return;
      await turn;
      if (isNews && now() - toldMs > TELL_EVERY_MS) tell();
      if (now() > waitUntilMs) await sleep(REST_MS, stop.signal);
    };
    const waiting: WalkDirectory[] = folders.map((folder) => walkRoot(folder, options));
    for (let index = 0; index < waiting.length; index++) {
      const directory = waiting[index];
      if (directory === undefined || stop.signal.aborted) return;
      await pacer();
      const content = await readDirectory(directory, options, stop.signal);
      seen.folders++;
      for (const { name, type } of content.entries) {
        if (type !== "file" || !wants(name)) continue;
        await pacer(); // the file before may have taken its time
        yield `${directory.path}/${name}`;
      }
      const below = subdirectories(content, options).filter(({ path }) =>
        !SKIPPED.has(baseName(path)) && !SYSTEM.has(path)
      );
      const room = MAX_FOLDERS - waiting.length;
      waiting.push(...below.slice(0, room));
      seen.foldersLeftOut += Math.max(0, below.length - room);
    }
  }

  const begin = (): void => {
    if (searching !== undefined || now() < nextSearchMs) return;
    searching = search().catch(() => {}).finally(() => searching = undefined);
  };

  return {
    async refresh() {
      begin();
      // All calls together wait so long: a large root is searched while they go on.
      if (isFirst && searching && now() < waitUntilMs) await settlesWithin(searching, waitUntilMs - now());
      let changed = false;
      for (const path of [...hidden.keys()]) changed = await read(path) || changed;
      if (changed) tell();
    },
    async look(path) {
      if (isSecretFile(baseName(path)) && await read(path)) tell();
    },
    async search(patienceMs) {
      begin();
      waitUntilMs = now() + patienceMs;
      if (searching) await settlesWithin(searching, patienceMs);
      return { ...seen, files: hidden.size, isDone: !isFirst };
    },
    async close() {
      stop.abort();
      await searching;
    },
  };
}

function stampOf(path: string): string | undefined {
  return ifThere(() => {
    const { isFile, size, mtime } = Deno.lstatSync(path);
    return isFile ? `${size} ${mtime?.getTime()}` : undefined;
  });
}

async function valuesOf(path: string, signal: AbortSignal): Promise<readonly FileValue[]> {
  const content = ifThere(() => readRegularSync(path, MAX_FILE_BYTES));
  if (!content) return [];
  const pacer = makePacer(signal), found: FileValue[] = [];
  for (const piece of piecesOf(new TextDecoder().decode(content.bytes))) {
    await pacer();
    found.push(...readFileValues(piece));
  }
  return found;
}
