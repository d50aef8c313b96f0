/** Re-ranks the best hits by meaning, with vectors from an OpenAI-compatible embeddings service. @module */
import type { IndexFiles } from "../sys/files/index_files.ts";
import { normalText } from "./chunk_file.ts";
import type { RootedHit } from "./hits.ts";
import type { IndexReader } from "./index_reader.ts";

/** Hits in a new order, or why they keep theirs. */
export interface Reranked {
  readonly hits: RootedHit[];
  readonly warning?: string;
}

/** Orders hits anew. Never fails: a service that does not answer leaves the order as it is, with a warning. */
export type Reranker = (
  q: string,
  hits: readonly RootedHit[],
  roots: readonly { readonly root: string; readonly reader: IndexReader }[],
  signal?: AbortSignal,
) => Promise<Reranked>;

/** What it takes. */
export interface RerankDeps {
  /** Base URL: `/v1/embeddings` is added unless the path is there. */
  readonly url: string;
  readonly model: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly files: IndexFiles;
  readonly maxFileBytes: number;
  readonly timeoutMs?: number;
}

/** Hits whose order is in question. */
const MOST_RERANKED = 40;
/** Models read no more of a text than about this. */
const MOST_CHARS = 1_500;
/** The usual constant of reciprocal rank fusion. */
const FUSION = 60;
const TIMEOUT_MS = 2_000;
const MOST_VECTORS = 50_000;

/** A vector of length 1 in steps of 1/127. */
function toBytes(vector: readonly number[]): Int8Array<ArrayBuffer> {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return Int8Array.from(vector, (value) => Math.round(127 * value / length));
}

function similarity(a: Int8Array, b: Int8Array): number {
  if (a.length !== b.length) return 0; // of another model
  let sum = 0, ownA = 0, ownB = 0;
  for (let at = 0; at < a.length; at++) {
    const x = a[at] ?? 0, y = b[at] ?? 0;
    sum += x * y;
    ownA += x * x;
    ownB += y * y;
  }
  return sum / (Math.sqrt(ownA * ownB) || 1);
}

async function keyOf(model: string, text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${model}\0${text}`));
  return Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function readVectors(reply: unknown, count: number): number[][] {
  const data: unknown = Object(reply).data;
  const vectors = Array.isArray(data)
    ? [...data].sort((a, b) => Number(Object(a).index) - Number(Object(b).index)).map((entry) =>
      Object(entry).embedding
    )
    : [];
  const isSound = vectors.length === count &&
    vectors.every((vector) =>
      Array.isArray(vector) && vector.length > 0 && vector.every((value) => Number.isFinite(value))
    );
  if (!isSound) throw new Error("its answer is not a list of vectors");
  return vectors;
}

/** Makes the re-ranker. */
export function makeReranker(deps: RerankDeps): Reranker {
  const base = deps.url.replace(/\/+$/, "");
  const url = /\/embeddings$/.test(base) ? base : /\/v\d+$/.test(base) ? `${base}/embeddings` : `${base}/v1/embeddings`;

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Int8Array<ArrayBuffer>[]> {
    const timeout = AbortSignal.timeout(deps.timeoutMs ?? TIMEOUT_MS);
    const response = await deps.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ input: texts, ...deps.model === "" ? {} : { model: deps.model } }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`it answered with status ${response.status}`);
    }
    return readVectors(await response.json(), texts.length).map(toBytes);
  }

  function textOf({ root, candidate }: RootedHit): string {
    const text = deps.files.read(`${root}/${candidate.path}`, deps.maxFileBytes)?.text ?? "";
    const lines = normalText(text).split("\n").slice(candidate.startLine - 1, candidate.endLine);
    return `${candidate.path} ${candidate.symbol}\n${lines.join("\n")}`.slice(0, MOST_CHARS);
  }

  return async (q, hits, roots, signal) => {
    try {
      const head = hits.slice(0, MOST_RERANKED);
      const texts = head.map(textOf);
      const keys = await Promise.all(texts.map((text) => keyOf(deps.model, text)));
      const readers = new Map(roots.map(({ root, reader }) => [root, reader]));
      const known = head.map(({ root }, at) =>
        readers.get(root)?.read(({ prepare }) => {
          const vector = prepare("select vector from vectors where key = ?").get(keys[at] ?? "")?.vector;
          return vector instanceof Uint8Array ? new Int8Array(vector.slice().buffer) : undefined;
        })
      );
      const missing = head.flatMap((_, at) => known[at] === undefined ? [at] : []);
      const [question, ...made] = await embed(
        [q.slice(0, MOST_CHARS), ...missing.map((at) => texts[at] ?? "")],
        signal,
      );
      for (const [nth, at] of missing.entries()) {
        const vector = made[nth];
        if (vector === undefined) continue;
        known[at] = vector;
        keep(readers.get(head[at]?.root ?? ""), keys[at] ?? "", vector);
      }
      const near = head.map((_, at) => {
        const vector = known[at];
        return { at, value: question === undefined || vector === undefined ? 0 : similarity(question, vector) };
      }).sort((a, b) => b.value - a.value);
      const places = new Map(near.map(({ at }, place) => [at, place]));
      const fused = head.map((hit, at) => ({
        hit,
        value: 1 / (FUSION + 1 + at) + 1 / (FUSION + 1 + (places.get(at) ?? head.length)),
      })).sort((a, b) => b.value - a.value);
      const best = 2 / (FUSION + 1);
      return {
        hits: [...fused.map(({ hit, value }) => ({ ...hit, score: value / best })), ...hits.slice(MOST_RERANKED)],
      };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      return { hits: [...hits], warning: `ordered by words alone: the embeddings service failed (${reason})` };
    }
  };
}

/** Keeps a vector for the next question. An index that cannot be written costs only the time to ask again. */
function keep(reader: IndexReader | undefined, key: string, vector: Int8Array<ArrayBuffer>): void {
  try {
    reader?.read((index) =>
      index.write(() => {
        if (Number(index.prepare("select count(*) as n from vectors").get()?.n) >= MOST_VECTORS) {
          index.prepare("delete from vectors").run();
        }
        index.prepare("insert or replace into vectors values (?, ?)").run(key, new Uint8Array(vector.buffer));
      })
    );
  } catch {
    return;
  }
}
