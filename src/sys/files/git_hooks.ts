/** Finds the hooks of a git repository. @module */
import { isInsideAny, joinPath, normalizePath, parentOf } from "../../core/path.ts";

/** Where git looks for hooks, and which it would run. */
export interface GitHooks {
  readonly folder: string;
  readonly names: readonly string[];
}

/** The hooks of the repository around a folder; null outside repositories. Looks no higher than the roots. */
export function gitHooks(folder: string, roots: readonly string[]): GitHooks | null {
  for (let top = folder; isInsideAny(top, roots); top = parentOf(top)) {
    const config = textOf(`${joinPath(top, ".git")}/config`);
    if (config !== undefined) {
      const set = /^\s*hookspath\s*=\s*"?([^"\n;#]+?)"?\s*$/im.exec(config)?.[1];
      const hooks = normalizePath(set ?? ".git/hooks", top);
      return { folder: hooks, names: isInsideAny(hooks, roots) ? executables(hooks) : [] };
    }
    if (top === "/") break;
  }
  return null;
}

function textOf(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined; // not a repository, or one that is elsewhere
  }
}

function executables(folder: string): string[] {
  try {
    const names = Array.from(Deno.readDirSync(folder), ({ name }) => name);
    return names.filter((name) =>
      !name.includes(".") && ((Deno.statSync(`${folder}/${name}`).mode ?? 0) & 0o111) !== 0
    );
  } catch {
    return [];
  }
}
