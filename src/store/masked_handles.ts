/** Handle store that masks the secrets in what it keeps and returns. @module */
import { byteLength, decodeExactly } from "../core/bytes.ts";
import type { Masker } from "../core/secrets/masker.ts";
import { maskAtOnce, maskInPieces } from "../sys/mask_in_pieces.ts";
import type { HandleStore, PutRequest } from "./handles.ts";

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
      const masked = maskAtOnce(text, mask);
      if (masked === null) return store.promise(withMeta(request), maskInPieces(text, mask), byteLength(text));
      return store.put({ ...withMeta(request), payload: masked === text ? payload : masked });
    },
    promise: (request, payload, sizeBytes) =>
      store.promise(
        withMeta(request),
        payload.then(async (made) => {
          const text = textOf(made);
          if (text === null) return made;
          const masked = await maskInPieces(text, mask);
          return masked === text ? made : masked;
        }),
        sizeBytes,
      ),
    async read(id, owner, range, signal) {
      const slice = await store.read(id, owner, range, signal);
      return { ...slice, content: await maskInPieces(slice.content, mask) };
    },
  };
}

/** The text of a payload; null when it is binary. */
function textOf(payload: string | Uint8Array): string | null {
  return typeof payload === "string" ? payload : decodeExactly(payload);
}
