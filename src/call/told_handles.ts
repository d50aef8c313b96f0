/** Records which results of a call could not be stored, so that the answer reports it. @module */
import { OpsError } from "../core/error.ts";
import type { HandleStore } from "../store/handles.ts";

/** A handle store for one call. */
export interface ToldHandles {
  readonly handles: HandleStore;
  /** What the answer has to say; empty when everything was stored. */
  readonly notes: readonly string[];
}

/** Wraps the store: tools may go on without a handle, and the answer still tells why there is none. */
export function makeToldHandles(store: HandleStore): ToldHandles {
  const notes: string[] = [];
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
  const { put, promise, reference } = store;
  return { handles: { ...store, put: noting(put), promise: noting(promise), reference: noting(reference) }, notes };
}
