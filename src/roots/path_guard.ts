/** Path guard: resolves a caller's path to a real path inside the roots, or refuses it with a clear error. @module */
import { baseName, isInside, isInsideAny, joinPath, normalizePath, parentOf } from "../core/path.ts";
import type { Config } from "../config/resolve.ts";
import { OpsError } from "../core/error.ts";
import { readQuotedPath, readShownPath } from "../core/escape_name.ts";
import { escapeBeyondAscii } from "../core/look_alike.ts";
import { entryKind, linkTarget, lookAlikesIn, type PathFault, realPathOf } from "../sys/files/real_path.ts";
import { similarPath } from "./similar_path.ts";

/**
 * Turns typed paths into real ones. This is the layer that explains; the kernel is the layer that holds.
 * All methods throw OpsError INVALID_PATH for what is outside, protected or malformed.
 */
export interface PathGuard {
  readonly roots: readonly string[];
  /** Real path of something that exists; links are followed. Throws NOT_FOUND, NOT_A_DIRECTORY, PERMISSION_DENIED. */
  existing(path: string): Promise<string>;
  /** Real path of something that may not exist yet; a link at its end is followed, also a dangling one. */
  target(path: string): Promise<string>;
  /** The directory entry itself, a root too: its directory is real, a link at its end is not followed. */
  entry(path: string): Promise<string>;
  /** Like {@link entry}, for what will be moved away or deleted: refuses roots, what holds one, and what holds protected files. */
  removable(path: string): Promise<string>;
  /** How a real path is shown: relative to the only root, else absolute. */
  display(path: string): string;
}

const MAX_PATH_BYTES = 4096, MAX_NAME_BYTES = 255;
/** As many as the kernel follows. */
const MAX_LINKS = 40;
/** Of names that look like the one that was given. */
const MAX_ALIKE_SHOWN = 4;
/** Their files answer with whatever the kernel computes; never tools' business, not even with the root `/`. */
const PSEUDO_FILE_SYSTEMS = ["/proc", "/sys", "/dev"];

/** Makes the guard of a configuration. @param isNarrowed Whether its roots are a client's part of the configured ones. */
export function makePathGuard(
  { roots, homeDir, protectedPaths, rootSpellings = {} }: Pick<
    Config,
    "roots" | "homeDir" | "protectedPaths" | "rootSpellings"
  >,
  isNarrowed = false,
): PathGuard {
  const outside = (typed: string) => outsideOf(typed, roots, isNarrowed);
  const inRoots = (path: string) => isInsideAny(path, roots);

  /** Of what lies outside nothing is told. */
  const fault = (kind: PathFault, full: string, typed: string): OpsError =>
    inRoots(full) ? faultError(kind, full, typed) : outside(typed);

  /** A root may be named as the operator named it: the link that leads there is not open to this process. */
  const inRealSpelling = (full: string): string => {
    const spelling = Object.keys(rootSpellings).find((path) => isInside(full, path));
    return spelling === undefined ? full : (rootSpellings[spelling] ?? spelling) + full.slice(spelling.length);
  };

  /** Absolute and normalised, but not yet looked at. */
  const absolute = (path: string): string => {
    if (roots.length === 0) throw new OpsError("INVALID_PATH", "no allowed roots are set", HOW_TO_SET_ROOTS);
    if (path.includes("\0")) throw new OpsError("INVALID_PATH", "the path contains a NUL byte", "Remove it.");
    const expanded = path === "~" || path.startsWith("~/") ? homeDir + path.slice(1) : path;
    const full = inRealSpelling(normalizePath(expanded, roots[0]));
    checkLengths(full);
    return full;
  };

  const admit = (real: string, typed: string): string => {
    if (!inRoots(real)) throw outside(typed);
    if (isInsideAny(real, PSEUDO_FILE_SYSTEMS)) {
      throw new OpsError(
        "INVALID_PATH",
        `'${typed}' is not in a regular file system`,
        "Use the linux_sys_ and linux_proc_ tools.",
      );
    }
    if (isInsideAny(real, protectedPaths)) {
      throw new OpsError(
        "INVALID_PATH",
        `'${typed}' belongs to this server and is not open to tools`,
        "Use another path.",
      );
    }
    return real;
  };

  /** Real path of a path whose last parts may not exist. */
  const resolve = async (full: string, typed: string, links: number): Promise<string> => {
    const found = await realPathOf(full);
    if ("path" in found) return found.path;
    if (found.fault !== "missing") throw fault(found.fault, full, typed);
    const parent = parentOf(full);
    if (parent === full) return full;
    const realParent = await resolve(parent, typed, links);
    const path = joinPath(realParent, baseName(full));
    if (await entryKind(path) !== "symlink") return path;
    const target = await linkTarget(path); // a dangling link: what matters is where a write would land
    if (target === null || links >= MAX_LINKS) throw faultError("loop", full, typed);
    return resolve(normalizePath(target, realParent), typed, links + 1);
  };

  const notFound = async (real: string, typed: string): Promise<OpsError> => {
    const error = (hint: string) => new OpsError("NOT_FOUND", `'${typed}' does not exist`, hint);
    const alike = await lookAlikesOf(real);
    if (alike.length > 1) {
      const names = alike.slice(0, MAX_ALIKE_SHOWN).map((path) => escapeBeyondAscii(guard.display(path)));
      return error(`${alike.length} names look like it: ${names.join(", ")}`);
    }
    const similar = await similarPath(real, roots, protectedPaths);
    return similar === null ? faultError("missing", real, typed) : error(`Did you mean ${guard.display(similar)}?`);
  };

  /** What looks like a path: each of its names that does not exist is one that looks like it, the last any of them. */
  const lookAlikesOf = async (full: string): Promise<string[]> => {
    let path = "/", isOther = false;
    const names = full.split("/").filter((part) => part !== "");
    for (const [index, name] of names.entries()) {
      const next = joinPath(path, name);
      if (await entryKind(next) !== null || !inRoots(path)) path = next;
      else {
        const found = await lookAlikesIn(path, name), [only] = found;
        if (only === undefined) return [];
        if (found.length > 1) return index === names.length - 1 ? found.map((each) => joinPath(path, each)) : [];
        path = joinPath(path, only);
        isOther = true;
      }
    }
    return isOther ? [path] : [];
  };

  /** The existing entry that a listing shows in these quotes. */
  const quotedOf = async (typed: string): Promise<string | null> => {
    const quoted = readQuotedPath(typed);
    if (quoted === null || quoted === "") return null;
    const path = absolute(quoted), parent = await realPathOf(parentOf(path));
    return "path" in parent && inRoots(parent.path) && await entryKind(path) !== null ? path : null;
  };

  /** The existing path that a typed one means: quoted as a listing shows it, or the only one that looks like it. */
  const meant = async (full: string, typed: string): Promise<string | null> => {
    const quoted = await quotedOf(typed);
    if (quoted !== null) return quoted;
    const [alike, ...others] = await lookAlikesOf(full);
    return others.length === 0 ? alike ?? null : null;
  };

  const guard: PathGuard = {
    roots,
    async existing(path) {
      const full = absolute(path);
      const found = await realPathOf(full);
      if ("path" in found) return admit(found.path, path);
      const other = found.fault === "missing" ? await meant(full, path) : null;
      if (other !== null) return await guard.existing(other);
      refuseRawName(path);
      // Whether something outside exists must not be revealed: the root check comes before NOT_FOUND.
      if (found.fault !== "missing") throw fault(found.fault, full, path);
      throw await notFound(admit(await resolve(full, path, 0), path), path);
    },
    async target(path) {
      const full = absolute(path), isNew = await entryKind(full) === null;
      if (isNew) refuseRawName(path);
      return admit(await resolve(isNew ? await quotedOf(path) ?? full : full, path, 0), path);
    },
    async entry(path) {
      const full = absolute(path);
      if (roots.includes(full)) return admit(full, path); // real already, and the folder that holds it is outside
      const entry = admit(joinPath(await resolve(parentOf(full), path, 0), baseName(full)), path);
      if (await entryKind(entry) !== null) return entry;
      return admit(await meant(entry, path) ?? entry, path);
    },
    async removable(path) {
      const entry = await this.entry(path);
      if (await entryKind(entry) === null) refuseRawName(path);
      if ([...roots, ...protectedPaths].some((kept) => isInside(kept, entry))) {
        const hint = "Name something inside a root; roots and what holds this server's own files stay.";
        throw new OpsError("INVALID_PATH", `'${path}' cannot be moved or deleted`, hint);
      }
      return entry;
    },
    display(path) {
      const [root, ...others] = roots;
      if (root === undefined || others.length > 0 || root === "/" || !isInside(path, root)) return path;
      return path === root ? "." : path.slice(root.length + 1);
    },
  };
  return guard;
}

const HOW_TO_SET_ROOTS =
  "The operator sets mcp.tools.allowed_roots in llmc.toml, or starts the server with --root DIR.";

function outsideOf(typed: string, roots: readonly string[], isNarrowed: boolean): OpsError {
  const shown = roots.slice(0, 5).join(", ") + (roots.length > 5 ? `, and ${roots.length - 5} more` : "");
  if (!isNarrowed) return new OpsError("INVALID_PATH", `'${typed}' is outside the allowed roots`, `Allowed: ${shown}`);
  return new OpsError(
    "INVALID_PATH",
    `'${typed}' is outside the roots of this client's session`,
    `Allowed: ${shown}. The operator opens all configured roots to it by mcp.tools.client_roots = "ignore".`,
  );
}

function faultError(fault: PathFault, full: string, typed: string): OpsError {
  switch (fault) {
    case "missing":
      return new OpsError("NOT_FOUND", `'${typed}' does not exist`);
    case "not-a-directory":
      return new OpsError("NOT_A_DIRECTORY", `a part of '${typed}' is a file, not a directory`);
    case "loop":
      return new OpsError("INVALID_PATH", `'${typed}' is a symbolic link loop`, "Use another path.");
    case "too-long":
      return new OpsError(
        "INVALID_PATH",
        `'${typed.slice(0, 80)}…' is too long`,
        `A path has at most ${MAX_PATH_BYTES} bytes.`,
      );
    case "denied":
      return new OpsError("PERMISSION_DENIED", `'${full}' cannot be reached`);
  }
}

/** A name that a listing escaped because it is not UTF-8 can be read, and nothing else. */
function refuseRawName(typed: string): void {
  if (readShownPath(typed) === null) return;
  throw new OpsError(
    "INVALID_PATH",
    `the name of '${typed}' is not UTF-8: it can be listed and read under that name, and a search of its folder covers it`,
    "To change it, rename it first with run_cmd, where * stands for the byte: mv caf*.txt cafe.txt.",
  );
}

function checkLengths(path: string): void {
  const encoder = new TextEncoder();
  const tooLong = encoder.encode(path).length > MAX_PATH_BYTES ||
    path.split("/").some((name) => encoder.encode(name).length > MAX_NAME_BYTES);
  if (!tooLong) return;
  const hint = `A path has at most ${MAX_PATH_BYTES} bytes, a name at most ${MAX_NAME_BYTES}.`;
  throw new OpsError("INVALID_PATH", `'${path.slice(0, 80)}…' is too long`, hint);
}
