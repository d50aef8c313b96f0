/** Connects `llmc-mcp te` to the real terminal and environment. @module */
import { isInsideAny } from "../../core/path.ts";
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
      const settled = resolve(flags), here = Deno.cwd();
      const started = await start(settled, { kind: "command" });
      const inRoot = isInsideAny(here, settled.roots);
      return { server: started.server, stop: started.stop, cwd: inRoot ? here : undefined };
    },
    print,
    say,
    environment: (name) => Deno.env.get(name),
  };
}
