/** Streams the state of a running server. @module */
import { sleep } from "../../core/time.ts";
import { type UiState, uiState } from "../../server/ui/state.ts";

/** Where a server listens and how to prove oneself. */
export interface FeedSource {
  readonly url: string;
  readonly token: string | null;
  /** PEM text of a certificate that is trusted besides the usual ones. */
  readonly certificate: string | null;
}

/** News: a state, or why there is none now. */
export type News = { readonly state: UiState } | { readonly trouble: string };

/** The server answers, and it is of no use to ask again. */
export class FeedRefused extends Error {
  override readonly name = "FeedRefused";
}

const RETRY_MS = 2_000;

/**
 * Follows the server until the signal aborts; connects again when the connection is lost.
 *
 * @throws FeedRefused when the token is wrong or the server has no page
 */
export async function* follow(source: FeedSource, signal: AbortSignal): AsyncGenerator<News> {
  const { certificate } = source;
  using client = Deno.createHttpClient(certificate === null ? {} : { caCerts: [certificate] });
  while (!signal.aborted) {
    try {
      yield* readOnce(source, client, signal);
      yield { trouble: "the server has ended the connection" };
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof FeedRefused) throw error;
      yield { trouble: `${source.url} cannot be reached` };
    }
    await pause(RETRY_MS, signal);
  }
}

async function* readOnce(
  { url, token }: FeedSource,
  client: Deno.HttpClient,
  signal: AbortSignal,
): AsyncGenerator<News> {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/ui/live?page=state`, { headers, client, signal });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw refusal(response.status, url);
  }
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const state = stateIn(event);
      if (state) yield { state };
    }
  }
}

function refusal(status: number, url: string): Error {
  if (status === 401) return new FeedRefused(`${url} rejects this token`);
  if (status === 403) return new FeedRefused(`${url} does not answer to this name; see mcp.server.allowed_hosts`);
  if (status === 404) {
    return new FeedRefused(`${url} has no page: mcp.server.ui_enabled is false there, or it is not llmc-mcp`);
  }
  return new Error(`status ${status}`);
}

function stateIn(event: string): UiState | undefined {
  const data = event.match(/^event: part\ndata: (.*)$/)?.[1];
  if (data === undefined) return undefined;
  const { content } = Object(JSON.parse(data));
  return uiState.parse(JSON.parse(String(content)));
}

/** Waits, or less when the person leaves. */
async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await sleep(durationMs, signal).catch(() => {}); // the loop looks at the signal itself
}
