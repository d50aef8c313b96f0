/** The real outside of `llmc-mcp te`. @module */
import { resolve } from "../settings.ts";
import { print, say, start } from "../start.ts";
import type { TeConsole } from "./te.ts";

/** Starts the sandboxed server for one command and prints to the terminal. */
export function teTerminal(): TeConsole {
  return {
    async open({ root, config, set }) {
      const flags = {
        ...(root !== undefined && { root: [...root] }),
        ...(config !== undefined && { config }),
        ...(set !== undefined && { set: [...set] }),
      };
      return await start(resolve(flags), { kind: "command" });
    },
    print,
    say,
    environment: (name) => Deno.env.get(name),
  };
}
