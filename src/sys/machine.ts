/** Implements the machine interface that configuration uses. @module */
import type { Machine } from "../config/machine.ts";
import { containerKind } from "../core/container.ts";
import { exists } from "./files/exists.ts";

/** Looks at the real machine. Needs every permission: only the main thread may. */
export function thisMachine(): Machine {
  const env = Deno.env.toObject();
  return {
    env,
    homeDir: env.HOME || "/",
    workingDir: Deno.cwd(),
    container: containerKind({ exists, readText: textOrEmpty, env }),
    readText(path) {
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(Deno.readFileSync(path));
      } catch (error) {
        if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
        throw error;
      }
    },
    realPath(path) {
      try {
        return Deno.realPathSync(path);
      } catch {
        return undefined; // nothing there, or out of reach
      }
    },
    isDirectory(path) {
      try {
        return Deno.statSync(path).isDirectory;
      } catch {
        return false;
      }
    },
    findProgram(name, folders) {
      for (const folder of folders) {
        const path = executable(`${folder}/${name}`);
        if (path !== undefined) return path;
      }
      return undefined;
    },
  };
}

function textOrEmpty(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

/** Real path of a file that somebody may execute. */
function executable(path: string): string | undefined {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? 0) & 0o111) !== 0 ? Deno.realPathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
