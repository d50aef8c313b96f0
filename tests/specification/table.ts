/** A table of requirements, one assertion for each row, checked on the executable. @module */
import assert from "node:assert/strict";
import { BINARY, type Finished, type HttpServer, runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

/** What a row sees of a running server. */
export interface World {
  readonly sandbox: Sandbox;
  /** The whole structure of a tool's result, over MCP. Fails when the call does. */
  ok(name: string, args?: Record<string, unknown>): Promise<Structure>;
  /** The code of the error of a call; fails when there is none. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>;
  /** What a model reads in the default format. */
  text(name: string, args?: Record<string, unknown>): Promise<string>;
  /** A REST route of a server with the same root. */
  rest(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** The command line in the root. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Finished>;
}

/** Any JSON: rows look at what they name. */
// deno-lint-ignore no-explicit-any -- a schema for each of two hundred rows would say the same twice
export type Structure = any;

/** An answer over HTTP. */
export interface Reply {
  readonly status: number;
  readonly body: Structure;
  readonly headers: Headers;
}

/** Number of the requirement, what it asks for, and its one assertion. */
export type Row = readonly [id: string, requirement: string, check: (world: World) => unknown];

/** How the servers of a table are set up. */
export interface TableOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Settings, as `--set` takes them. */
  readonly set?: readonly string[];
}

/** Registers a table as one test with a step for each row. */
export function specification(title: string, { files = {}, set = [] }: TableOptions, rows: readonly Row[]): void {
  Deno.test(title, async (t) => {
    await using sandbox = await Sandbox.make(files);
    const settings = set.flatMap((each) => ["--set", each]);
    await using whole = await StdioPeer.open(sandbox, { args: [...settings, "--set", "mcp.tools.result_format=json"] });
    await using lean = await StdioPeer.open(sandbox, { args: settings });
    await using http = await startHttp(sandbox, { args: settings });
    const world = makeWorld(sandbox, whole, lean, http, settings);
    for (const [id, requirement, check] of rows) {
      await t.step(`${id} ${requirement}`, async () => void await check(world));
    }
  });
}

function makeWorld(sandbox: Sandbox, whole: StdioPeer, lean: StdioPeer, http: HttpServer, settings: string[]): World {
  return {
    sandbox,
    async ok(name, args = {}) {
      const text = await whole.call(name, args);
      try {
        return JSON.parse(text);
      } catch {
        return assert.fail(`${name}: ${text}`);
      }
    },
    async refused(name, args = {}) {
      const text = await whole.call(name, args), code = text.match(/^(?:\{"code":")?([A-Z][A-Z_]+)\b/)?.[1];
      return code ?? assert.fail(`${name} was not refused: ${text}`);
    },
    text: (name, args = {}) => lean.call(name, args),
    async rest(path, body, headers = {}) {
      const response = await fetch(http.url + path, {
        headers: { "X-LLMC-Token": http.token, "Content-Type": "application/json", ...headers },
        ...body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
      });
      const text = await response.text();
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
      return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    },
    run: ([command = "", ...rest], env = {}) =>
      runBinary([command, "--root", sandbox.root, ...settings, ...rest], {
        env: { ...sandbox.env, ...env },
        cwd: sandbox.root,
        binary: BINARY,
      }),
  };
}
