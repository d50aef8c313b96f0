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
  /** The result of any MCP request. */
  mcp(method: string, params?: Record<string, unknown>): Promise<Structure>;
  /** A REST route of a server with the same root; an empty header is left out. */
  rest(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Everything that the HTTP server has logged so far. */
  httpLog(): Promise<string>;
  /** Token of the HTTP server. */
  token(): Promise<string>;
  /** Process that answers `ok`, `refused` and `mcp`. */
  serverPid(): Promise<number>;
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

/**
 * Number of the requirement, what it asks for, and its one assertion. Where the product deviates because that serves
 * the user better, the assertion holds the deviation and the last item says why.
 */
export type Row = readonly [id: string, requirement: string, check: (world: World) => unknown, deviation?: string];

/** How the servers of a table are set up. */
export interface TableOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Settings, as `--set` takes them. */
  readonly set?: readonly string[];
}

/** Registers a table as one test with a step for each row. A server starts when the first row needs it. */
export function specification(title: string, { files = {}, set = [] }: TableOptions, rows: readonly Row[]): void {
  Deno.test(title, async (t) => {
    await using sandbox = await Sandbox.make(files);
    await using servers = new AsyncDisposableStack();
    const world = makeWorld(sandbox, servers, set.flatMap((each) => ["--set", each]));
    for (const [id, requirement, check, deviation] of rows) {
      const name = `${id} ${requirement}${deviation === undefined ? "" : ` [deviates: ${deviation}]`}`;
      await t.step(name, async () => void await check(world));
    }
  });
}

function makeWorld(sandbox: Sandbox, servers: AsyncDisposableStack, settings: readonly string[]): World {
  const once = <T extends AsyncDisposable>(start: () => Promise<T>) => {
    let started: Promise<T> | undefined;
    return () => started ??= start().then((server) => servers.use(server));
  };
  const structured = [...settings, "--set", "mcp.tools.result_format=json"];
  const whole = once(() => StdioPeer.open(sandbox, { args: structured }));
  const lean = once(() => StdioPeer.open(sandbox, { args: settings }));
  const http = once<HttpServer>(() => startHttp(sandbox, { args: settings }));
  return {
    sandbox,
    async ok(name, args = {}) {
      const text = await (await whole()).call(name, args);
      try {
        return JSON.parse(text);
      } catch {
        return assert.fail(`${name}: ${text}`);
      }
    },
    async refused(name, args = {}) {
      const text = await (await whole()).call(name, args), code = text.match(/^(?:\{"code":")?([A-Z][A-Z_]+)\b/)?.[1];
      return code ?? assert.fail(`${name} was not refused: ${text}`);
    },
    text: async (name, args = {}) => (await lean()).call(name, args),
    async mcp(method, params = {}) {
      const { result, error } = await (await whole()).request(method, params);
      return result ?? assert.fail(JSON.stringify(error));
    },
    async rest(path, body, headers = {}) {
      const { url, token } = await http();
      const response = await fetch(url + path, {
        headers: Object.entries({ "X-LLMC-Token": token, "Content-Type": "application/json", ...headers })
          .filter(([, value]) => value !== ""),
        ...body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
      });
      const text = await response.text();
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
      return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    },
    httpLog: async () => (await http()).stderr(),
    token: async () => (await http()).token,
    serverPid: async () => (await whole()).pid,
    run: ([command = "", ...rest], env = {}) =>
      runBinary([command, "--root", sandbox.root, ...settings, ...rest], {
        env: { ...sandbox.env, ...env },
        cwd: sandbox.root,
        binary: BINARY,
      }),
  };
}
