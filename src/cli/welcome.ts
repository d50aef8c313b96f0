/** Tells the person who started an HTTP server what comes first: address, sandbox level, and lines to paste. @module */
import type { Config } from "../config/resolve.ts";
import type { SandboxReport } from "../sandbox/protocol.ts";
import { tryLine } from "./try_line.ts";
import { quoteWord } from "../core/argv.ts";
import { describeToken, type Token } from "./token.ts";

/** What a start led to. */
export interface Welcome {
  readonly config: Config;
  readonly token: Token;
  /** Where the server listens. */
  readonly address: string;
  readonly report: SandboxReport;
  /** A program of this machine that can make HTTP calls; undefined when there is none. */
  readonly httpClient: string | undefined;
}

/** The text that is printed at the start. */
export function welcomeText({ config, token, address, report, httpClient }: Welcome): string {
  const here = reachable(address), shown = shownToken(config, token);
  const authorization = shown === "" ? "" : `Bearer ${shown}`;
  const body = JSON.stringify({ session_id: "me", name: "linux_fs_list", args: { path: ".", depth: 1 } });
  const call = httpClient && tryLine(httpClient, { url: here, authorization, body });
  const header = authorization === "" ? "" : ` --header "Authorization: ${authorization}"`;
  const page = `Watch the server at ${here}/ui${shown === "" ? "" : " (log in with the token)"}.\n`;
  return `llmc-mcp listens on ${address}   roots: ${config.roots.join(", ") || "none: add --root DIR"}
sandbox: ${describeLevel(report)}
${describeToken(token, config)}

  claude mcp add --transport http llmc ${here}/mcp${header}

  ${call || toolLine(config)}

${config.settings.server.ui_enabled ? page : ""}Calls appear below; Ctrl-C stops the server.
`;
}

function describeLevel({ level, advice, unconfined }: SandboxReport): string {
  if (unconfined) return `${level}, but the roots are the whole machine`;
  if (level === "full") return level;
  const help = advice === "" ? "" : `; to raise it: ${advice}`;
  return `${level}, lower than full${help}\n         (llmc-mcp doctor says what this leaves open)`;
}

/** Without any HTTP client, the same tool from the command line. */
function toolLine({ roots: [root = "."] }: Config): string {
  const program = Deno.build.standalone ? quoteWord(Deno.execPath()) : `${quoteWord(Deno.execPath())} run -A main.ts`;
  return `${program} tool linux_fs_list path=. depth=1 --root ${quoteWord(root)}`;
}

/** A server that listens on all addresses is reached by one of them. */
function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** The token as a shell reads it; only one that was generated now is shown itself. */
function shownToken({ settings: { auth } }: Config, { source, value }: Token): string {
  if (source === "file") return `$(cat ${quoteWord(auth.token_file)})`;
  return source === "environment" ? `$${auth.token_env}` : value ?? "";
}
