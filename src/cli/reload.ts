/** Reloads the configuration on `SIGHUP` and applies what can change at run time. @module */
import type { AppVerbs } from "../app/verbs.ts";
import { ConfigError } from "../config/error.ts";
import { findConfigFiles, loadConfig } from "../config/load.ts";
import { type Config, resolveConfig } from "../config/resolve.ts";
import { thisMachine } from "../sys/machine.ts";
import { type ConfigFlags, loadRequest } from "./settings.ts";
import { say } from "./output.ts";
import type { Started } from "./start.ts";

/** Variables that the configuration may come from; the token is not one of them. */
const OF_CONFIGURATION = /^(LLMC_CONFIG|LLMC_ROOT|LLMC_MCP__\w+|HOME|XDG_\w+)$/;

/**
 * Reads the configuration as it was read at the start. Must be made before the start, which wipes the environment.
 *
 * @returns a function that throws ConfigError
 */
export function configReader(flags: ConfigFlags): () => Config {
  const { env: all, container } = thisMachine(); // variables tell of a container, too
  const env = Object.fromEntries(Object.entries(all).filter(([name]) => OF_CONFIGURATION.test(name)));
  // One that appears later could have been left there by a program.
  const { file, project } = findConfigFiles(loadRequest(flags), thisMachine());
  const known = [file, project].flatMap((each) => each === null ? [] : [each.path]);
  return () => {
    const machine = { ...thisMachine(), env, container };
    return resolveConfig(loadConfig({ ...loadRequest(flags), known }, machine), machine);
  };
}

/** When a terminal goes away, its signal may come well before it is gone, and no other follows. */
const TERMINAL_CHECK_MS = 1_000;

/** Reloads at each hang-up, also at one that comes before the start is over; ends when it was that of the terminal. */
export function reloadAtHangup(starting: Promise<Pick<Started, "server" | "end">>, read: () => Config): void {
  const end = () => void starting.then((started) => started.end());
  const atTerminal = Deno.stderr.isTerminal();
  let last = Promise.resolve(), checking: number | undefined;
  Deno.addSignalListener("SIGHUP", () => {
    const isGone = () => atTerminal && !Deno.stderr.isTerminal();
    if (isGone()) return end();
    if (atTerminal) checking ??= setInterval(() => isGone() && end(), TERMINAL_CHECK_MS);
    last = last.then(async () => await reload((await starting).server, read)).catch(() => {}); // a failure was reported already
  });
}

async function reload(server: Pick<AppVerbs, "reload">, read: () => Config): Promise<void> {
  try {
    say("llmc-mcp: reading the configuration again");
    const { changed, waiting } = await server.reload(read());
    const now = `llmc-mcp: ${changed.length > 0 ? `in force now: ${changed.join(", ")}` : "no changes to apply"}`;
    say(waiting.length > 0 ? `${now}\nllmc-mcp: in force after a restart: ${waiting.join(", ")}` : now);
  } catch (error) {
    const reason = error instanceof ConfigError ? `\n${error.message}` : `: ${error}`;
    say(`llmc-mcp: the configuration cannot be used, so the old one stays${reason}`);
  }
}
