/** Common vocabulary over the tools of all servers. @module */
import type { ServerCommand, ServerProcess, ToolAnswer } from "./client.ts";
import type { Place } from "./place.ts";

/** A tool with its arguments. */
export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How many hits a search may give, whether the pattern is an expression, and how much is shown around a hit. */
export interface SearchOptions {
  readonly maxHits?: number;
  readonly regex?: boolean;
}

/** A running interpreter. */
export interface Repl {
  evaluate(code: string): Promise<ToolAnswer>;
}

/** One server. What it cannot do is not there. Paths are absolute. */
export interface Hands {
  read?(path: string, lines?: number): Call;
  list?(path: string): Call;
  write?(path: string, content: string): Call;
  edit?(path: string, oldText: string, newText: string): Call;
  move?(source: string, target: string): Call;
  /** A command line for a shell, or for a server that starts programs itself. */
  run?(command: string, timeoutMs?: number): Call;
  processes?(): Call;
  killProcess?(pid: number): Call;
  /** The hits of a search, in as many calls as it takes to see the end or the limit. */
  search?(server: ServerProcess, path: string, pattern: string, options?: SearchOptions): Promise<ToolAnswer>;
  /** All that a command printed, in as many calls as it takes. */
  output?(server: ServerProcess, command: string): Promise<string>;
  /** Ends what a call of `run` left running, as far as the server can. */
  endCommand?(server: ServerProcess, answer: ToolAnswer): Promise<unknown>;
  startPython?(server: ServerProcess): Promise<Repl>;
  /** Tries to lift the list of what may run, by whatever the server's tools allow. */
  liftRules?(server: ServerProcess, place: Place): Promise<void>;
}

/** A server in the comparison. */
export interface Contestant extends Hands {
  readonly key: string;
  readonly title: string;
  readonly version: string;
  /** How it is started over a place; may write what it is configured by. */
  command(place: Place, forbidden?: string): Promise<ServerCommand>;
}

/** Makes one call. */
export function make(server: ServerProcess, { name, args }: Call): Promise<ToolAnswer> {
  return server.call(name, args);
}
