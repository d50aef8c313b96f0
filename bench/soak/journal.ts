/** Journal of acknowledged writes, which detects lost or torn ones. @module */
import type { Random } from "../../tests/support/random.ts";

/** One call that changes a file. */
export interface Change {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The server said that it is done. */
  acknowledge(): void;
  /** The server refused, or went away: it may be done or not. */
  release(): void;
}

interface Lane {
  /** Path below the root. */
  readonly path: string;
  /** The last version that was acknowledged, and the last that was asked for. */
  acknowledged: number;
  asked: number;
  busy: boolean;
}

/** Files that are changed over and over, each by one call at a time. */
export interface Journal {
  /** A change to ask for; null when all files are being changed. */
  next(random: Random): Change | null;
  /** Reads every file that is not being changed. Answers what is lost or torn. */
  verify(root: string): Promise<string[]>;
  /** Changes that were acknowledged. */
  readonly acknowledged: number;
}

/** Makes the journal of some files below a folder. */
export function makeJournal(folder: string, files: number): Journal {
  const lanes: Lane[] = Array.from({ length: files }, (_, index) => ({
    path: `${folder}/${index}.txt`,
    acknowledged: 0,
    asked: 0,
    busy: false,
  }));
  let acknowledged = 0;
  return {
    get acknowledged() {
      return acknowledged;
    },
    next(random) {
      const free = lanes.filter(({ busy }) => !busy);
      if (free.length === 0) return null;
      const lane = random.pick(free), version = ++lane.asked;
      const known = lane.acknowledged === version - 1 && lane.acknowledged > 0;
      const call = callFor(lane, version, known ? random.below(3) : 0);
      lane.busy = true;
      return {
        ...call,
        acknowledge() {
          lane.acknowledged = version;
          lane.busy = false;
          acknowledged++;
        },
        release: () => void (lane.busy = false),
      };
    },
    async verify(root) {
      const faults: string[] = [];
      for (const lane of lanes) if (!lane.busy) faults.push(...await check(root, lane));
      return faults;
    },
  };
}

/** A whole new content, or, where the old one is known for sure, an edit. */
function callFor({ path }: Lane, version: number, way: number): Pick<Change, "name" | "args"> {
  const content = textOf(path, version), old = textOf(path, version - 1);
  if (way === 1) return { name: "linux_fs_patch_block", args: { path, old_text: old, new_text: content } };
  if (way === 2) {
    const removed = old.trimEnd().split("\n").map((line) => `-${line}\n`).join("");
    const added = content.trimEnd().split("\n").map((line) => `+${line}\n`).join("");
    const hunk = `@@ -1,${removed.split("\n").length - 1} +1,${added.split("\n").length - 1} @@\n`;
    return {
      name: "linux_fs_apply_diff",
      args: { diff_text: `--- a/${path}\n+++ b/${path}\n${hunk}${removed}${added}` },
    };
  }
  return { name: "linux_fs_write", args: { path, content } };
}

/** The content of a version: any part of it tells which one it is. */
function textOf(path: string, version: number): string {
  const lines = 3 + (version * 37) % 400;
  return Array.from({ length: lines }, (_, index) => `${path} version ${version} line ${index} of ${lines}\n`).join("");
}

async function check(root: string, lane: Lane): Promise<string[]> {
  const { path, acknowledged, asked } = lane;
  const text = await Deno.readTextFile(`${root}/${path}`).catch(() => null);
  if (text === null) return acknowledged === 0 ? [] : [`lost: ${path}, acknowledged in version ${acknowledged}`];
  const version = Number(text.match(/ version (\d+) /)?.[1]);
  if (text !== textOf(path, version)) return [`torn: ${path}, version ${version}`];
  if (version < acknowledged || version > asked) {
    return [`lost: ${path} is in version ${version}, acknowledged was ${acknowledged}`];
  }
  lane.acknowledged = version; // settled by what is there
  lane.asked = version;
  return [];
}
