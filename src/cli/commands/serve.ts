/** `llmc-mcp stdio` and `llmc-mcp serve`. @module */
import type { Config } from "../../config/resolve.ts";
import { thisMachine } from "../../sys/machine.ts";
import { HTTP_CLIENTS } from "../try_line.ts";
import { configReader, reloadAtHangup } from "../reload.ts";
import { type ConfigFlags, resolve } from "../settings.ts";
import { EXIT, print, say } from "../output.ts";
import { start } from "../start.ts";
import { readToken, TokenError } from "../token.ts";
import { welcomeText } from "../welcome.ts";

/**
 * Serves one client over standard input and output until it goes away.
 *
 * @param folders More roots, as a client adds them. One that does not exist must not keep the others from working.
 */
export async function stdio(folders: readonly string[], given: ConfigFlags): Promise<number> {
  const { isDirectory } = thisMachine();
  const missing = folders.filter((folder) => !isDirectory(folder));
  for (const folder of missing) say(`llmc-mcp: ignoring the root ${folder}: it does not exist or is not a folder`);
  const flags = { ...given, root: [...given.root ?? [], ...folders.filter((folder) => !missing.includes(folder))] };
  const config = resolve(flags);
  if (!config.settings.enabled) return refuse();
  const read = configReader(flags);
  const starting = start(config, { kind: "stdio" });
  reloadAtHangup(starting, read);
  return await (await starting).ended;
}

/** Serves HTTP until a signal comes. */
export async function serve(flags: ConfigFlags & { readonly freshToken?: boolean }): Promise<number> {
  const config = resolve(flags);
  if (!config.settings.enabled) return refuse();
  const token = readToken(config, flags.freshToken ?? false);
  const read = configReader(flags);
  const httpClient = findHttpClient(); // the start wipes the environment
  const starting = start(config, {
    kind: "http",
    token: token.value,
    tls: readTls(config),
    // Both, because what is shown (codes for consent, too) goes to standard error, and must not end up in a file.
    watched: Deno.stdout.isTerminal() && Deno.stderr.isTerminal(),
  });
  reloadAtHangup(starting, read);
  const { ended, address, report } = await starting;
  print(welcomeText({ config, token, address, report, httpClient }));
  return await ended;
}

function findHttpClient(): string | undefined {
  const { env, findProgram } = thisMachine(), folders = (env.PATH ?? "").split(":").filter((each) => each !== "");
  return HTTP_CLIENTS.find((program) => findProgram(program, folders) !== undefined);
}

function refuse(): number {
  say("llmc-mcp: mcp.enabled is false, so nothing is served");
  return EXIT.config;
}

function readTls({ settings }: Config): { cert: string; key: string } | null {
  const { tls_enabled, tls_cert_file, tls_key_file } = settings.server;
  if (!tls_enabled) return null;
  try {
    return { cert: Deno.readTextFileSync(tls_cert_file), key: Deno.readTextFileSync(tls_key_file) };
  } catch (error) {
    throw new TokenError(
      `mcp.server.tls_cert_file and tls_key_file: ${error instanceof Error ? error.message : error}`,
    );
  }
}
