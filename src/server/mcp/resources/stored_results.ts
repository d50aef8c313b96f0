/** `llmc://handle/ID`: results that were too large for one answer. @module */
import { OpsError } from "../../../core/error.ts";
import type { HandleStore } from "../../../store/handles.ts";
import type { Envelope } from "../../../call/pipeline.ts";
import type { ResourceKind } from "./resource_kind.ts";
import { textOrThrow } from "./text_or_throw.ts";

const MAX_LINES = 100_000;
const MAX_COMPLETIONS = 100;

/** The results that the caller owns. */
export function storedResults(handles: HandleStore, envelope: Envelope): ResourceKind {
  return {
    kind: "handle",
    isOffered: () => true,
    list: () => Promise.resolve([]),
    template: {
      uriTemplate: "llmc://handle/{id}",
      name: "handle",
      title: "Stored result",
      description: "A large result by its handle (H_…); the text says where the rest begins.",
      mimeType: "text/plain",
    },
    async read(id, caller) {
      const answer = await envelope.call("linux_handle_read", { handle: id, limit: MAX_LINES }, caller);
      const isWhole = answer.error === undefined && Object(answer.result).more === false;
      return { mimeType: "text/plain", text: textOrThrow({ ...answer, truncated: !isWhole }, "content") };
    },
    stamp(id, { owner }) {
      try {
        const { createdMs, sizeBytes } = handles.info(id, owner);
        return Promise.resolve(`${createdMs} ${sizeBytes}`);
      } catch (error) {
        if (error instanceof OpsError) return Promise.resolve(null);
        throw error;
      }
    },
    complete: (prefix, { owner }) =>
      Promise.resolve(
        handles.list(owner).map(({ id }) => id).filter((id) => id.startsWith(prefix)).slice(0, MAX_COMPLETIONS),
      ),
  };
}
