/** `llmc-mcp stdio` and `llmc-mcp serve`. @module */
import type { Config } from "../../config/resolve.ts";
import { configReader, reloadAtHangup } from "../reload.ts";
import { type ConfigFlags, resolve } from "../settings.ts";
import { EXIT, print, say, start } from "../start.ts";
import { describeToken, readToken, type Token, TokenError } from "../token.ts";

/** Serves one client over standard input and output until it goes away. */
export async function stdio(flags: ConfigFlags): Promise<number> {
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
  const starting = start(config, {
    kind: "http",
    token: token.value,
    tls: readTls(config),
    // Both, because what is shown (codes for consent, too) goes to standard error, and must not end up in a file.
    watched: Deno.stdout.isTerminal() && Deno.stderr.isTerminal(),
  });
  reloadAtHangup(starting, read);
  const { ended, address } = await starting;
  welcome(config, address, token);
  return await ended;
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

/** What a person needs first: where it listens, and two lines to paste. */
function welcome(config: Config, address: string, token: Token): void {
  const { settings } = config, shown = shownToken(config, token), here = reachable(address);
  const bearer = shown === "" ? "" : ` --header "Authorization: Bearer ${shown}"`;
  const header = shown === "" ? "" : ` -H "Authorization: Bearer ${shown}"`;
  const first = config.roots[0] ?? "(no root: add --root DIR)";
  const body = JSON.stringify({ session_id: "me", name: "linux_fs_list", args: { path: ".", depth: 1 } });
  print(`llmc-mcp listens on ${address}   roots: ${config.roots.join(", ") || first}
${describeToken(token, config)}

  claude mcp add --transport http llmc ${here}/mcp${bearer}

  curl -s ${here}/tool${header} -H "Content-Type: application/json" -d '${body}'

${
    settings.server.ui_enabled
      ? `Watch it at ${here}/ui${shown === "" ? "" : ", with the same token"}. `
      : ""
  }Calls appear below; Ctrl-C ends the server.
`);
}

/** Who listens on all addresses is reached by one of them. */
function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** The token as a shell reads it; only one that nobody else knows yet is shown itself. */
function shownToken({ settings: { auth } }: Config, { source, value }: Token): string {
  if (source === "file") return `$(cat ${auth.token_file})`;
  return source === "environment" ? `$${auth.token_env}` : value ?? "";
}
