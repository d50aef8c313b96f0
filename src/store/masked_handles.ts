/** Handle store that masks the secrets in what it keeps and returns. @module */
import { decodeExactly } from "../core/bytes.ts";
import { KEY_START } from "../core/secrets/private_key.ts";
import type { Masker } from "../core/secrets/masker.ts";
import { makePacer } from "../sys/pacer.ts";
import type { HandleStore, PutRequest } from "./handles.ts";

/** Longer texts are masked in pieces, so that other calls get their turn. */
const PIECE_CHARS = 64 * 1024, AT_ONCE_CHARS = 4 * PIECE_CHARS;
const KEY_END = "-----END";

/** The same store, with every text masked when it is kept, and again when it is read: more may be known by then. */
export function maskedHandles(
  store: HandleStore,
  { mask, maskValue }: Pick<Masker, "mask" | "maskValue">,
): HandleStore {
  const withMeta = <T extends Pick<PutRequest, "meta">>(request: T): T => ({
    ...request,
    ...maskValue({ meta: request.meta }),
  });
  return {
    ...store,
    put(request) {
      const { payload } = request, text = textOf(payload);
      if (text === null) return store.put(withMeta(request));
      if (text.length > AT_ONCE_CHARS) return store.promise(withMeta(request), maskInPieces(text, mask));
      const masked = mask(text);
      return store.put({ ...withMeta(request), payload: masked === text ? payload : masked });
    },
    promise: (request, payload) =>
      store.promise(
        withMeta(request),
        payload.then(async (made) => {
          const text = textOf(made);
          if (text === null) return made;
          const masked = await maskInPieces(text, mask);
          return masked === text ? made : masked;
        }),
      ),
    async read(id, owner, range, signal) {
      const slice = await store.read(id, owner, range, signal);
      return { ...slice, content: mask(slice.content) };
    },
  };
}

/** The text of a payload; null when it is binary. */
function textOf(payload: string | Uint8Array): string | null {
  return typeof payload === "string" ? payload : decodeExactly(payload);
}

async function maskInPieces(text: string, mask: Masker["mask"]): Promise<string> {
  const pacer = makePacer(new AbortController().signal);
  let result = "";
  for (let from = 0; from < text.length;) {
    await pacer();
    const end = pieceEnd(text, from);
    result += mask(text.slice(from, end));
    from = end;
  }
  return result;
}

/** After a line, and not inside a key that goes over lines. */
function pieceEnd(text: string, from: number): number {
  const wanted = from + PIECE_CHARS;
  if (wanted >= text.length) return text.length;
  const newline = text.indexOf("\n", wanted), lineEnd = newline < 0 ? text.length : newline + 1;
  const end = Math.min(lineEnd, wanted + PIECE_CHARS);
  const start = text.lastIndexOf(KEY_START, end);
  if (start < from || text.slice(start, end).includes(KEY_END)) return end;
  const keyEnd = text.indexOf(KEY_END, end);
  return keyEnd < 0 || keyEnd > end + PIECE_CHARS ? end : keyEnd;
}
