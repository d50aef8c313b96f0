/**
 * A folder in the root that alternates with a symbolic link to the outside, with the same names on both sides, and
 * checks on disk of what happened outside.
 * @module
 */
import { createHash } from "node:crypto";

/** Two folders that look alike, and what tells them apart. */
export interface Trap {
  readonly root: string;
  readonly outside: string;
  /** The name that is a folder in the root at one moment and leads outside at the next. */
  readonly door: string;
  /** Its counterpart: a link while the door is a folder. */
  readonly link: string;
  /** Text in every outside file and in one outside name, and nowhere else. */
  readonly secret: string;
  /** Makes both sides as they were. */
  reset(): Promise<void>;
  /** What differs outside from what {@link reset} made: names that came, went, or are not what they were. */
  damage(): Promise<string[]>;
}

/** Files on each side that operations work on. */
export const FILES = 48;
/** The outside has files of a size and a time that nothing else has, so that either betrays it. */
export const OUTSIDE_SIZE = 7_919, OUTSIDE_TIME = new Date("2001-02-03T04:05:06Z");
const EDITABLE = "value = 1\n";

/**
 * Lays the trap.
 * @param outside A folder that exists; only names that the trap made are looked at when it is `shared` with a program.
 */
export async function layTrap(root: string, outside: string, shared = false): Promise<Trap> {
  const secret = `canary${crypto.randomUUID().replaceAll("-", "")}`;
  const door = `${root}/door`, link = `${root}/link`;
  const names = [...Array.from({ length: FILES }, (_, index) => `f${index}.md`), `only-${secret}.md`];
  const isOurs = (name: string) => !shared || names.includes(name) || /^[fgn]\d+\.md$|^m\d+$/.test(name);
  let before = new Map<string, string>();

  const trap: Trap = {
    root,
    outside,
    door,
    link,
    secret,
    async reset() {
      for (const name of ["door", "link", "given", "taken"]) await removeAll(`${root}/${name}`);
      for await (const { name } of Deno.readDir(outside)) if (isOurs(name)) await removeAll(`${outside}/${name}`);
      for (const name of ["door", "given", "taken"]) await Deno.mkdir(`${root}/${name}`);
      await Deno.symlink(outside, link);
      const padded = `${EDITABLE}${secret}\n`.padEnd(OUTSIDE_SIZE, "x");
      for (const name of names) {
        await Deno.writeTextFile(`${outside}/${name}`, padded);
        await Deno.utime(`${outside}/${name}`, OUTSIDE_TIME, OUTSIDE_TIME);
        if (!name.startsWith("only-")) await Deno.writeTextFile(`${door}/${name}`, `${EDITABLE}inside\n`);
      }
      for (let index = 0; index < FILES; index++) await Deno.writeTextFile(`${root}/given/g${index}.md`, "given\n");
      before = await look(outside, isOurs);
    },
    async damage() {
      const after = await look(outside, isOurs);
      const all = new Set([...before.keys(), ...after.keys()]);
      return [...all].filter((name) => before.get(name) !== after.get(name))
        .map((name) => !after.has(name) ? `gone: ${name}` : before.has(name) ? `changed: ${name}` : `new: ${name}`);
    },
  };
  await trap.reset();
  return trap;
}

async function removeAll(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** Everything about each entry that a program could have changed. */
async function look(dir: string, isOurs: (name: string) => boolean): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for await (const { name } of Deno.readDir(dir)) {
    if (!isOurs(name)) continue;
    const path = `${dir}/${name}`, info = await Deno.lstat(path);
    const hash = info.isFile ? createHash("sha256").update(await Deno.readFile(path)).digest("hex") : "";
    seen.set(name, [info.mode, info.uid, info.gid, info.nlink, info.ino, info.mtime?.getTime(), hash].join(" "));
  }
  return seen;
}
