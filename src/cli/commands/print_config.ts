/** `llmc-mcp print-config CLIENT`: prints the configuration snippet of a client. @module */
import { ConfigError } from "../../config/error.ts";
import { thisMachine } from "../../sys/machine.ts";
import { CLIENTS } from "../client_snippets.ts";
import { EXIT, print, say } from "../output.ts";

/** What the snippet is about. */
export interface PrintConfigFlags {
  /** Folders that a server may touch which the client starts. */
  readonly root: readonly string[];
  /** Address of a server that runs already. */
  readonly url?: string;
}

/** Prints the snippet on standard output, and on standard error where it belongs. */
export function printConfig(client: string, { root, url }: PrintConfigFlags): number {
  const snippets = CLIENTS[client];
  if (!snippets) {
    say(`llmc-mcp: clients: ${Object.keys(CLIENTS).join(", ")}`);
    return EXIT.usage;
  }
  if (Deno.stdout.isTerminal()) say(`# for ${snippets.place}`);
  print(url === undefined ? snippets.local(ownPath(), argumentsFor(root)) : snippets.remote(endpoint(url)));
  return EXIT.ok;
}

/** Clients start servers in an odd folder and with a short PATH: everything is absolute. */
function ownPath(): string {
  return Deno.build.standalone ? Deno.execPath() : "llmc-mcp";
}

function argumentsFor(roots: readonly string[]): string[] {
  return ["stdio", ...(roots.length > 0 ? roots : ["."]).flatMap((root) => ["--root", realFolder(root)])];
}

/** @throws ConfigError when there is none: the client would start a server that can touch nothing. */
function realFolder(root: string): string {
  const { realPath, isDirectory } = thisMachine();
  const real = realPath(root);
  if (real !== undefined && isDirectory(real)) return real;
  throw new ConfigError([{ where: "--root", message: `there is no folder ${root}` }]);
}

/** People give the address that the server prints, with or without the path. */
function endpoint(url: string): string {
  return /\/mcp\/?$/.test(url) ? url : `${url.replace(/\/+$/, "")}/mcp`;
}
