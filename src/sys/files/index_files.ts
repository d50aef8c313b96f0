/** File system access of the code index: which files exist, what they contain, where the databases are. @module */
import { ifThere } from "./exists.ts";
import { baseName, parentOf } from "../../core/path.ts";
import { createHash } from "node:crypto";
import { makeDecoder } from "../../core/encodings.ts";
import { textKind } from "../../core/text_kind.ts";
import { type Entries, entriesByPath, type EntryFacts, mainFacts } from "./entries.ts";
import { detectEncoding } from "./detect_encoding.ts";
import { readRegularSync } from "./open_file.ts";
import { makePacer } from "../pacer.ts";
import { readDirectory, subdirectories, type WalkOptions, walkRoot } from "./walk.ts";

/** When a file last changed, and how long it is. */
export interface IndexedStamp {
  readonly sizeBytes: number;
  readonly changedMs: number;
}

/** A file as it was read. */
export interface IndexedText extends IndexedStamp {
  /** Null when it is binary or longer than asked for. */
  readonly text: string | null;
  /** Of its bytes, hexadecimal. */
  readonly hash: string;
}

/** What a scan looks at. */
export interface ScanRules {
  /** Whether a folder is entered. @param siblings Names in the folder that it lies in. */
  enters(name: string, siblings: ReadonlySet<string>): boolean;
  /** Whether a file is of interest. @param path Below the root. */
  wants(path: string): boolean;
}

/** Files of the folders that are indexed. */
export interface IndexFiles {
  /** How far apart, in milliseconds, two changes of a file may be and give the same stamp. */
  readonly stepMs: number;
  /**
   * Finds files below a root in slices of some milliseconds: hidden and ignored ones left out, links not followed.
   *
   * @param onFolder Called with the path of each folder before it is read.
   * @throws the reason of `signal`.
   */
  scan(
    root: string,
    rules: ScanRules,
    signal: AbortSignal,
    onFolder?: (path: string) => void,
  ): Promise<Map<string, IndexedStamp>>;
  /** Reads a regular file; undefined when there is none or it may not be read. @param path Absolute. */
  read(path: string, maxBytes: number): IndexedText | undefined;
  /** The stamp of a regular file; undefined when there is none. @param path Absolute. */
  stamp(path: string): IndexedStamp | undefined;
  /** The first bytes of a regular file as text; undefined when there is none. Reads hidden files too. */
  head(path: string, maxBytes: number): string | undefined;
  /** The last bytes of a regular file as text. */
  tail(path: string, maxBytes: number): string | undefined;
  /** Names in a directory; empty when it cannot be read. A name of a directory ends in a slash. */
  names(path: string): readonly string[];
  isDirectory(path: string): boolean;
}

/** So many files are looked at before others get their turn. */
const LOOKED_AT_ONCE = 512;

function stampOf({ sizeBytes, changedMs }: EntryFacts): IndexedStamp {
  return { sizeBytes, changedMs };
}

function readRegular(
  path: string,
  maxBytes: number,
  entries: Entries,
): { bytes: Uint8Array; stamp: IndexedStamp } | undefined {
  return ifThere(() => {
    const before = mainFacts(entries.lstat(path));
    if (before.type !== "file") return undefined;
    if (before.sizeBytes > maxBytes) return { bytes: new Uint8Array(), stamp: stampOf(before) };
    // written to after this: its stamp is then another one, and the next look reads it again
    const content = readRegularSync(path, maxBytes);
    return content && { bytes: content.bytes, stamp: stampOf(before) };
  });
}

function decode(bytes: Uint8Array): string | null {
  const kind = textKind(bytes.subarray(0, 64 * 1024), { isWhole: bytes.length <= 64 * 1024, detect: detectEncoding });
  if (!kind.text) return null;
  const text = makeDecoder(kind.encoding).decode(bytes.subarray(kind.bomBytes));
  return kind.lineEnds === "cr" ? text.replaceAll("\r", "\n") : text;
}

/**
 * Makes the access.
 *
 * @param closed Real paths that are not looked into.
 * @param entries The same way of looking at files wherever an index is used: their times differ in the fraction.
 * @param mask Takes secrets out of every text that is read.
 */
export function makeIndexFiles(
  closed: readonly string[],
  entries: Entries = entriesByPath,
  mask: (text: string) => string = (text) => text,
): IndexFiles {
  const options: WalkOptions = { includeHidden: false, respectIgnore: true, closed };
  const maskedText = (bytes: Uint8Array): string | null => {
    const text = decode(bytes);
    return text === null ? null : mask(text);
  };
  const readPart = (path: string, maxBytes: number, from: "start" | "end"): string | undefined =>
    ifThere(() => {
      const content = readRegularSync(path, maxBytes, from);
      return content && (maskedText(content.bytes) ?? undefined);
    });
  return {
    stepMs: entries.stepMs,
    async scan(root, rules, signal, onFolder = () => {}) {
      const pacer = makePacer(signal);
      const found = new Map<string, IndexedStamp>();
      const waiting = [walkRoot(root, options)];
      for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
        await pacer();
        onFolder(directory.path);
        const content = await readDirectory(directory, options, signal);
        const names = new Set(content.entries.map(({ name }) => name));
        const below = directory.below === "" ? "" : `${directory.below}/`;
        const wanted = content.entries.filter(({ name, type }) =>
          type === "file" && name.isWellFormed() && rules.wants(below + name) &&
          !closed.includes(`${root}/${below}${name}`)
        );
        for (let at = 0; at < wanted.length; at += LOOKED_AT_ONCE) {
          if (at > 0) await pacer();
          const looked = wanted.slice(at, at + LOOKED_AT_ONCE).map(({ name }) => name);
          for (const [name, facts] of entries.factsOf(directory.path, looked)) {
            if (facts.type === "file") found.set(below + name, stampOf(facts));
          }
        }
        const inner = subdirectories(content, options);
        waiting.push(...inner.filter(({ path }) => rules.enters(baseName(path), names)));
      }
      return found;
    },
    read(path, maxBytes) {
      const found = readRegular(path, maxBytes, entries);
      if (found === undefined) return undefined;
      const { bytes, stamp } = found;
      const isWhole = stamp.sizeBytes <= maxBytes;
      const hash = isWhole ? createHash("sha256").update(bytes).digest("hex").slice(0, 32) : `size ${stamp.sizeBytes}`;
      return { ...stamp, hash, text: isWhole ? maskedText(bytes) : null };
    },
    stamp: (path) =>
      ifThere(() => {
        const facts = mainFacts(entries.lstat(path));
        return facts.type === "file" ? stampOf(facts) : undefined;
      }),
    head: (path, maxBytes) => readPart(path, maxBytes, "start"),
    tail: (path, maxBytes) => readPart(path, maxBytes, "end"),
    names: (path) =>
      ifThere(() => Array.from(Deno.readDirSync(path), ({ name, isDirectory }) => isDirectory ? `${name}/` : name)) ??
        [],
    isDirectory: (path) => ifThere(() => Deno.lstatSync(path).isDirectory) ?? false,
  };
}

/** Makes a file look as if it had changed now. */
export function touch(path: string, nowMs: number): void {
  ifThere(() => Deno.utimeSync(path, nowMs / 1000, nowMs / 1000));
}

/** Names of what lies in the same folder. */
export function siblings(path: string): string[] {
  const folder = parentOf(path);
  return ifThere(() => Array.from(Deno.readDirSync(folder), ({ name }) => name)) ?? [];
}
