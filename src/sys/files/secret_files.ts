/** Finds secret files in the roots and updates the masker with their contents. @module */
import { baseName } from "../../core/path.ts";
import { type FileValue, isSecretFile, readFileValues } from "../../core/secrets/file_values.ts";
import type { Masker } from "../../core/secrets/masker.ts";
import { settlesWithin } from "../../core/time.ts";
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
  /** Ends the search, and waits for its end. */
  close(): Promise<void>;
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
/** Folders of installed packages and of build results. */
const SKIPPED: ReadonlySet<string> = new Set(
  "node_modules .git target dist build venv .venv __pycache__ site-packages vendor .cache .npm .cargo .rustup".split(
    " ",
  ),
);
const FIRST_WAIT_MS = 150, SEARCH_EVERY_MS = 30_000;
/** A search takes at most this share of the time. */
const SHARE = 50;

/** A file as it was read. */
interface Known {
  readonly stamp: string;
  readonly values: readonly FileValue[];
}

/** Makes the service; nothing is read before the first call. */
export function makeSecretFiles({ roots, allowed, closed, masker, now }: SecretFilesDeps): SecretFiles {
  const hidden = new Map<string, Known>(), stop = new AbortController();
  const shownValues: FileValue[] = [];
  let searching: Promise<void> | undefined, nextSearchMs = 0, isFirst = true;

  const tell = () => {
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
    if (isFirst) { for (const path of allowed) await readAllowed(path); }
    let changed = isFirst;
    for await (const path of filesBelow(roots, isSecretFile)) changed = await read(path) || changed;
    if (changed) tell();
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
    const pacer = makePacer(stop.signal);
    const waiting: WalkDirectory[] = folders.map((folder) => walkRoot(folder, options));
    for (let index = 0; index < Math.min(waiting.length, MAX_FOLDERS); index++) {
      const directory = waiting[index];
      if (directory === undefined || stop.signal.aborted) return;
      await pacer();
      const content = await readDirectory(directory, options, stop.signal);
      for (const { name, type } of content.entries) {
        if (type !== "file" || !wants(name)) continue;
        await pacer(); // the file before may have taken its time
        yield `${directory.path}/${name}`;
      }
      if (waiting.length < MAX_FOLDERS) {
        waiting.push(...subdirectories(content, options).filter(({ path }) => !SKIPPED.has(baseName(path))));
      }
    }
  }

  return {
    async refresh() {
      if (searching === undefined && now() >= nextSearchMs) {
        searching = search().catch(() => {}).finally(() => searching = undefined);
      }
      if (isFirst && searching) await settlesWithin(searching, FIRST_WAIT_MS);
      let changed = false;
      for (const path of [...hidden.keys()]) changed = await read(path) || changed;
      if (changed) tell();
    },
    async look(path) {
      if (isSecretFile(baseName(path)) && await read(path)) tell();
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
