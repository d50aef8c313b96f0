/** Keeps the paths among a command's arguments inside the roots, or inside what every confined program may read. @module */
import { OpsError } from "../../core/error.ts";
import { isInside } from "../../core/path.ts";
import { etcPaths, SAFE_DEVICES, SYSTEM_DIRS } from "../../sandbox/system_paths.ts";
import { entryKind } from "../../sys/files/real_path.ts";
import type { PathGuard } from "../../roots/path_guard.ts";
import type { Word } from "../../core/options.ts";

/** Places that hold nothing of the user's; the kernel has the last word on them. */
const OPEN = [...SYSTEM_DIRS, "/tmp", "/proc", ...etcPaths(true)];
/** What every program has anyway. */
const DEVICES = [...SAFE_DEVICES, "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd", "/dev/tty", "/dev/pts"];

/** Looks at words that name files. */
export interface PathCheck {
  /**
   * A file or directory; nothing happens when it does not exist, because the program says that better.
   *
   * @param cwd Real path; null when a script went elsewhere: relative paths are then left to the kernel.
   * @throws OpsError INVALID_PATH
   */
  check(word: Pick<Word, "text" | "literal">, cwd: string | null): Promise<void>;
  /** Whether a shell finds a script here and not along PATH; where a script went elsewhere, a dot in the name has to do. */
  isScript(name: string, cwd: string | null): Promise<boolean>;
}

/**
 * @param confined Whether the kernel holds the program, so that system files may be left to it.
 * @param open Folders that the kernel opens to the program although `paths` may not: nothing in them is left to it.
 */
export function makePathCheck(
  paths: Pick<PathGuard, "target">,
  confined: boolean,
  open: readonly string[] = [],
): PathCheck {
  return {
    async check({ text, literal }, cwd) {
      if (!literal || text === "" || text === "-") return;
      const absolute = text.startsWith("/");
      if (absolute && isWithin(text, confined ? [...OPEN, ...DEVICES] : DEVICES) && !isWithin(text, open)) return;
      if (/^~[^/]/.test(text)) {
        throw new OpsError("INVALID_PATH", `'${text}' names another home directory`, "Write the path out.");
      }
      if (!absolute && !text.startsWith("~")) {
        if (cwd === null) return;
        await guard(paths, `${cwd}/${text}`, text);
        return;
      }
      await guard(paths, text, text);
    },
    async isScript(name, cwd) {
      if (name.includes("/")) return true;
      return cwd === null ? name.includes(".") : await entryKind(`${cwd}/${name}`) !== null;
    },
  };
}

function isWithin(path: string, places: readonly string[]): boolean {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return places.some((place) => isInside(`/${parts.join("/")}`, place));
}

/** Only the refusal matters here; that something is missing, too long or a file is for the program to say. */
async function guard(paths: Pick<PathGuard, "target">, path: string, typed: string): Promise<void> {
  try {
    await paths.target(path);
  } catch (error) {
    if (!(error instanceof OpsError)) throw error;
    if (error.code !== "INVALID_PATH" || /too long|NUL/.test(error.message)) return;
    throw new OpsError("INVALID_PATH", error.message.replace(path, typed), error.hint);
  }
}
