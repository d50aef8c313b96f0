/** Implements the machine interface of the configuration. @module */
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
      if (!exists(path)) return undefined;
      try {
        return Deno.realPathSync(path);
      } catch {
        return undefined; // nothing there, or out of reach
      }
    },
    isDirectory(path) {
      if (!exists(path)) return false;
      try {
        return Deno.statSync(path).isDirectory;
      } catch {
        return false;
      }
    },
    list(path) {
      if (!exists(path)) return [];
      try {
        return Array.from(Deno.readDirSync(path), ({ name }) => name);
      } catch {
        return [];
      }
    },
    loginPath: () => env.SHELL === undefined ? undefined : askShell(env.SHELL, env),
    findProgram(name, folders) {
      for (const folder of folders) {
        const path = executable(`${folder}/${name}`);
        if (path !== undefined) return path;
      }
      return undefined;
    },
  };
}

/** Interactive as well, because that is where version managers put themselves; in a session of its own, without a terminal. */
function askShell(shell: string, env: Readonly<Record<string, string>>): string | undefined {
  const mark = "llmc-path:", { HOME = "/", USER = "", LOGNAME = "" } = env;
  try {
    const { stdout } = new Deno.Command("/usr/bin/timeout", {
      args: ["-k", "0.1", "1", "/usr/bin/setsid", "-w", shell, "-l", "-i", "-c", `printf '\n${mark}%s\n' "$PATH"`],
      clearEnv: true,
      env: { HOME, USER, LOGNAME, SHELL: shell, PATH: env.PATH ?? "/usr/local/bin:/usr/bin:/bin", TERM: "dumb" },
      stdin: "null",
      stderr: "null",
    }).outputSync();
    return new RegExp(`^${mark}(.+)$`, "m").exec(new TextDecoder().decode(stdout))?.[1];
  } catch {
    return undefined; // no such shell
  }
}

function textOrEmpty(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

/** Real path of a file that is executable. */
function executable(path: string): string | undefined {
  if (!exists(path)) return undefined; // of a hundred names in ten folders most: an error for each would hold up the start
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? 0) & 0o111) !== 0 ? Deno.realPathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
