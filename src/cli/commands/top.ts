/** `llmc-mcp top`: shows a running server live in the terminal. @module */
import type { Config } from "../../config/resolve.ts";
import type { UiState } from "../../server/ui/state.ts";
import { type ConfigFlags, resolve } from "../settings.ts";
import { EXIT, say } from "../output.ts";
import { readToken, TokenError } from "../token.ts";
import { FeedRefused, type FeedSource, follow } from "../top/feed.ts";
import { drawScreen } from "../top/screen.ts";
import { type Terminal, withTerminal } from "../top/terminal.ts";

/** Options of the command. */
export interface TopFlags extends ConfigFlags {
  readonly url?: string;
  readonly tokenEnv?: string;
}

const REDRAW_MS = 1_000;
/** q, Ctrl-C, Ctrl-D, Escape. */
const QUIT = ["q", "Q", "\x03", "\x04", "\x1b"];

/** Shows it until the person quits. The exit code is 1 when the server refused. */
export async function top(flags: TopFlags): Promise<number> {
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) {
    say("llmc-mcp: top needs a terminal; a program reads GET /ui/live?page=state");
    return EXIT.usage;
  }
  const source = readSource(flags);
  const quit = new AbortController();
  let redraw = () => {};
  const person = {
    onKey: (key: string) => QUIT.includes(key) && quit.abort(),
    onResize: () => redraw(),
    onEnd: () => quit.abort(),
  };
  try {
    await withTerminal(person, async (terminal) => {
      await show(source, terminal, quit.signal, (draw) => redraw = draw);
    });
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof FeedRefused)) throw error;
    say(`llmc-mcp: ${error.message}`);
    return EXIT.failed;
  }
}

async function show(
  source: FeedSource,
  terminal: Terminal,
  signal: AbortSignal,
  onDraw: (draw: () => void) => void,
): Promise<void> {
  let state: UiState | null = null, trouble = "";
  const draw = () => {
    const room = { ...terminal.size(), colour: terminal.colour };
    terminal.draw(drawScreen({ url: source.url, state, trouble, nowMs: Date.now() }, room));
  };
  onDraw(draw);
  draw();
  const timer = setInterval(draw, REDRAW_MS); // ages grow while nothing happens
  try {
    for await (const news of follow(source, signal)) {
      if ("state" in news) [state, trouble] = [news.state, ""];
      else trouble = news.trouble;
      draw();
    }
  } finally {
    clearInterval(timer);
  }
}

/** From the options; what they leave open, the configuration says, as for `serve`. */
function readSource(flags: TopFlags): FeedSource {
  const config = flags.url === undefined || flags.tokenEnv === undefined ? resolve(flags) : null;
  const url = flags.url ?? (config ? urlOf(config) : "");
  if (!URL.canParse(url)) throw new TokenError(`--url ${url} is not a valid URL; write it as http://127.0.0.1:8080`);
  return {
    url: url.replace(/\/+$/, ""),
    token: flags.tokenEnv === undefined ? (config ? readToken(config, false).value : null) : tokenIn(flags.tokenEnv),
    certificate: flags.url === undefined && config ? certificateOf(config) : null,
  };
}

function tokenIn(name: string): string {
  const token = Deno.env.get(name);
  if (!token) throw new TokenError(`$${name} is empty`);
  return token;
}

function urlOf({ settings: { server: { host, port, tls_enabled } } }: Config): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `${tls_enabled ? "https" : "http"}://${name}:${port}`;
}

/** The server's own, which need not be signed by anybody else. */
function certificateOf({ settings: { server } }: Config): string | null {
  return server.tls_enabled ? Deno.readTextFileSync(server.tls_cert_file) : null;
}
