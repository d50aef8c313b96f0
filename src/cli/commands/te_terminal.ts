/** Connects `llmc-mcp te` to the real terminal and environment. @module */
import { isInsideAny } from "../../core/path.ts";
import { resolveHere } from "../settings.ts";
import { print, say } from "../output.ts";
import { start } from "../start.ts";
import type { TeConsole } from "./te.ts";

/** Variables that say who calls. */
const LABELS = ["TE_AGENT_ID", "TE_SESSION_ID", "TE_MODEL"];

/** Starts the sandboxed server for one command and prints to the terminal. */
export function teTerminal(): TeConsole {
  const labels = new Map(LABELS.map((name) => [name, Deno.env.get(name)])); // the start wipes the environment
  return {
    async open({ root, config, set, verbose = false }) {
      const flags = {
        ...(root !== undefined && { root: [...root] }),
        ...(config !== undefined && { config }),
        ...(set !== undefined && { set: [...set] }),
        verbose,
      };
      const settled = resolveHere(flags), here = Deno.cwd();
      const started = await start(settled, { kind: "command" });
      const inRoot = isInsideAny(here, settled.roots);
      return { server: started.server, stop: started.stop, cwd: inRoot ? here : undefined };
    },
    print,
    say,
    environment: (name) => labels.get(name),
  };
}
