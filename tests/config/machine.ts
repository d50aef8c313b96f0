/** A fake machine made of a few files, for configuration tests. @module */
import type { Machine } from "../../src/config/machine.ts";

/** What is on the machine. */
export interface Fixture {
  readonly env?: Record<string, string>;
  /** Path to text, or to the error that reading it gives. */
  readonly files?: Record<string, string | Error>;
  readonly folders?: readonly string[];
  /** Link to real path. */
  readonly links?: Record<string, string>;
  /** Name of a program to its real path. */
  readonly programs?: Record<string, string>;
  /** What a login shell says. */
  readonly loginPath?: string;
  readonly container?: string;
}

/** Home is /home/ann, the working directory /code; both exist. */
export function makeMachine(fixture: Fixture = {}): Machine {
  const files = fixture.files ?? {};
  const folders = new Set(["/", "/home/ann", "/code", ...fixture.folders ?? []]);
  const follow = (path: string): string => {
    for (const [link, target] of Object.entries(fixture.links ?? {})) {
      if (path === link || path.startsWith(`${link}/`)) return follow(target + path.slice(link.length));
    }
    return path;
  };
  return {
    env: fixture.env ?? {},
    homeDir: "/home/ann",
    workingDir: "/code",
    container: fixture.container ?? "",
    readText(path) {
      const text = files[path];
      if (text instanceof Error) throw text;
      return text;
    },
    realPath(path) {
      const real = follow(path);
      return folders.has(real) || real in files ? real : undefined;
    },
    isDirectory: (path) => folders.has(follow(path)),
    list: () => Object.keys(fixture.programs ?? {}),
    loginPath: () => fixture.loginPath,
    findProgram: (name) => fixture.programs?.[name],
  };
}
