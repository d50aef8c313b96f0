/** Finds the file of an allowed program, on the side that starts it. @module */
import type { Config } from "../config/resolve.ts";
import { OpsError } from "../core/error.ts";
import { baseName, isInsideAny } from "../core/path.ts";
import { exists } from "../sys/files/exists.ts";
import { CLEANER_SHELL } from "./clean_home.ts";
import { HOME_CLEANER, type HostConfig } from "./protocol.ts";

/**
 * The allowlist, checked a second time on the side that starts the program. A file of a root may run where the kernel
 * holds what it does.
 */
export function findProgram({ config }: HostConfig, program: string, isHeld: boolean): string {
  if (isHeld && program.startsWith("/") && isInsideAny(program, config.roots)) return checkedFile(program, config);
  if (program === HOME_CLEANER) return CLEANER_SHELL;
  const path = Object.hasOwn(config.binaries, program) ? config.binaries[program] : undefined;
  if (path) return underItsName(program, path, config.programFolders);
  // A path that means an allowed program is that program.
  const named = Object.values(config.binaries).find((each) => each === program || each === realPathOr(program));
  if (!named) throw new OpsError("COMMAND_NOT_ALLOWED", `'${program}' is not an allowed program`);
  return program;
}

/** A file of a root may be a link to a program that must not run. */
function checkedFile(path: string, { settings: { linux_ops: { commands } } }: Config): string {
  const name = baseName(realPathOr(path));
  if (commands.allow_unsafe || !commands.unsafe_binaries.includes(name)) return path;
  throw new OpsError("COMMAND_NOT_ALLOWED", `${name}: unsafe`);
}

function realPathOr(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path; // not there: then it is not an allowed program either
  }
}

/** The link by which a program is usually called: one that serves many names (busybox) looks at it. */
function underItsName(program: string, path: string, folders: readonly string[]): string {
  return folders.map((folder) => `${folder}/${program}`).find((each) => exists(each) && realPathOr(each) === path) ??
    path;
}
