/** Asks a language server for references over stdio. @module */

/** A place, counted from 0. */
export interface Place {
  readonly path: string;
  readonly row: number;
  readonly column: number;
}

/** A running language server. */
export interface LanguageServer extends AsyncDisposable {
  /** References without the declaration; undefined when it knows no symbol there. */
  references(at: Place): Promise<readonly Place[]>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: unknown;
}

const WAIT_MS = 60_000;

/** Starts a server over a folder. @param files Opened at the start, so that the server has read them. */
export async function startLanguageServer(
  command: readonly [string, ...string[]],
  root: string,
  languageId: string,
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<LanguageServer> {
  const [program, ...args] = command;
  const child = new Deno.Command(program, { args, env, cwd: root, stdin: "piped", stdout: "piped", stderr: "null" })
    .spawn();
  const writer = child.stdin.getWriter(), waiting = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  const send = async (message: object) => {
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }));
    await writer.write(new TextEncoder().encode(`Content-Length: ${body.length}\r\n\r\n`));
    await writer.write(body);
  };
  const request = async (method: string, params: unknown): Promise<unknown> => {
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => reject(new Error(`${method}: no answer in ${WAIT_MS} ms`)), WAIT_MS);
    waiting.set(id, (result) => (clearTimeout(timer), resolve(result)));
    await send({ id, method, params });
    return await promise;
  };
  const reading = readMessages(child.stdout, async (message) => {
    if (message.method === undefined) waiting.get(message.id ?? 0)?.(message.result);
    else if (message.id !== undefined) await send({ id: message.id, result: answerOf(message) });
  });
  const uri = (path: string) => `file://${root}/${path}`;
  await request("initialize", {
    processId: null,
    rootUri: `file://${root}`,
    workspaceFolders: [{ uri: `file://${root}`, name: "root" }],
    capabilities: { workspace: { configuration: true } },
  });
  await send({ method: "initialized", params: {} });
  for (const path of files) {
    const text = await Deno.readTextFile(`${root}/${path}`);
    await send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri: uri(path), languageId, version: 1, text } },
    });
  }
  return {
    async references({ path, row, column }) {
      const found = await request("textDocument/references", {
        textDocument: { uri: uri(path) },
        position: { line: row, character: column },
        context: { includeDeclaration: false },
      });
      if (!Array.isArray(found)) return [];
      return found.map(({ uri: place, range }): Place => ({
        path: decodeURIComponent(String(place).slice(`file://${root}/`.length)),
        row: range.start.line,
        column: range.start.character,
      }));
    },
    async [Symbol.asyncDispose]() {
      await writer.close().catch(() => {});
      child.kill("SIGKILL");
      await child.status;
      await reading.catch(() => {});
    },
  };
}

/** A server asks for its settings; it gets none. */
function answerOf({ method, params }: Message): unknown {
  if (method !== "workspace/configuration") return null;
  const { items } = params as { readonly items: readonly unknown[] }; // as the protocol says
  return items.map(() => null);
}

async function readMessages(
  output: ReadableStream<Uint8Array>,
  take: (message: Message) => Promise<void>,
): Promise<void> {
  let held = new Uint8Array();
  for await (const piece of output) {
    const joined = new Uint8Array(held.length + piece.length);
    joined.set(held);
    joined.set(piece, held.length);
    held = joined;
    for (;;) {
      const head = new TextDecoder().decode(held.subarray(0, 400));
      const found = /^(?:[^\r\n]+\r\n)*?Content-Length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/i.exec(head);
      if (found === null) break;
      const from = found[0].length, to = from + Number(found[1]);
      if (held.length < to) break;
      await take(JSON.parse(new TextDecoder().decode(held.subarray(from, to))));
      held = held.slice(to);
    }
  }
}
