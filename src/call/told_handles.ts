/** Records which results of a call could not be stored, so that the answer reports it. @module */
import { OpsError } from "../core/error.ts";
import type { HandleStore, PutRequest } from "../store/handles.ts";

/** A handle store for one call. */
export interface ToldHandles {
  readonly handles: HandleStore;
  /** What the answer has to say; empty when everything was stored. */
  readonly notes: readonly string[];
  /** Waits for what was put: an answer does not name a handle that would be lost with the process. */
  stored(): Promise<void>;
}

/** Wraps the store: tools may go on without a handle, and the answer still tells why there is none. */
export function makeToldHandles(store: HandleStore): ToldHandles {
  const notes: string[] = [], storing: Promise<void>[] = [];
  const noting = <A extends unknown[]>(keep: (...args: A) => string) => (...args: A): string => {
    try {
      return keep(...args);
    } catch (error) {
      if (error instanceof OpsError) {
        notes.push(`what is not shown was not stored: ${error.message.replace(/\.$/, "")}`);
      }
      throw error;
    }
  };
  const { promise, reference } = store;
  const put = noting((request: PutRequest) => {
    const id = store.put(request);
    storing.push(store.kept(id));
    return id;
  });
  return {
    handles: { ...store, put, promise: noting(promise), reference: noting(reference) },
    notes,
    async stored() {
      await Promise.all(storing);
    },
  };
}
