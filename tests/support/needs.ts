/** Requirements of tests on the machine: a test without them is skipped, and its name says why. @module */
import { BWRAP } from "../../src/sandbox/bwrap.ts";
import { landlockAbi } from "../../src/sandbox/landlock.ts";
import { openLibc } from "../../src/sys/libc.ts";
import type { Level } from "../../src/sandbox/protocol.ts";

/** Why tests of a kind cannot run on this machine; null when they can. */
export type Lack = string | null;

/** The path may lead through a folder of another user. */
const NOT_THERE = [Deno.errors.NotFound, Deno.errors.NotADirectory, Deno.errors.PermissionDenied];

/** For tests that act as several users. */
export const ROOT_USER: Lack = Deno.uid() === 0 ? null : "only root can do that";
/** For tests of what is forbidden. */
export const ORDINARY_USER: Lack = Deno.uid() === 0 ? "root may do everything" : null;
/** For tests of what the kernel holds. */
export const LANDLOCK: Lack = landlockAbi(openLibc()) > 0 ? null : "the kernel has no Landlock";
/** For tests of programs in namespaces. */
export const BUBBLEWRAP: Lack = lackOfBubblewrap();
/** For tests that mount something: as root, and as a user who plays root. */
export const MOUNTS: Lack = succeeds("unshare", "--mount", "true") ? null : "nothing can be mounted here";
export const OWN_MOUNTS: Lack = succeeds("unshare", "-rm", "true") ? null : "a user cannot mount anything here";

/** For tests of the executable at a level. */
export const LEVEL: Readonly<Record<Level, readonly Lack[]>> = {
  full: [LANDLOCK, BUBBLEWRAP],
  landlock: [LANDLOCK],
  bwrap: [BUBBLEWRAP],
  none: [],
};

/** The level that the executable has on this machine. */
export const LEVEL_HERE: Level = BUBBLEWRAP === null
  ? LANDLOCK === null ? "full" : "bwrap"
  : LANDLOCK === null
  ? "landlock"
  : "none";

/** For tests of what runs pytest: that of the Python which tools find. */
export const PYTEST: Lack = succeeds("/usr/bin/python3", "-m", "pytest", "--version")
  ? null
  : "pytest is not installed";

/** For tests that start a program. @param program Its name, or the path of a file. */
export function program(program: string): Lack {
  const paths = program.startsWith("/")
    ? [program]
    : (Deno.env.get("PATH") ?? "").split(":").map((dir) => `${dir}/${program}`);
  return paths.some(isThere) ? null : `${program} is not installed`;
}

/** Name of a test, and whether it is left out: the name then says why. */
export function needing(name: string, ...lacks: readonly Lack[]): { name: string; ignore: boolean } {
  const reasons = [...new Set(lacks)].filter((lack) => lack !== null);
  if (reasons.length === 0) return { name, ignore: false };
  return { name: `${name}: left out, because ${reasons.join(", and ")}`, ignore: true };
}

/** What the server puts around a child, in short. */
function lackOfBubblewrap(): Lack {
  const lack = program(BWRAP);
  if (lack !== null) return lack;
  const mounts = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"];
  return succeeds(BWRAP, ...mounts, "--unshare-all", "--", "true") ? null : "bubblewrap does not work here";
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  try {
    return new Deno.Command(program, { args: [...args], cwd: "/", stdin: "null" }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (NOT_THERE.some((kind) => error instanceof kind)) return false;
    throw error;
  }
}
