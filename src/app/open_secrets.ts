/** Creates the secret masker from the configuration. @module */
import { makeSecrets, type Secrets, withoutMasking } from "../call/secrets.ts";
import type { Config } from "../config/resolve.ts";
import { makeMasker } from "../core/secrets/masker.ts";
import type { HandleStore } from "../store/handles.ts";
import { maskedHandles } from "../store/masked_handles.ts";
import { makeSecretFiles, type SecretSearch } from "../sys/files/secret_files.ts";

/** Masking in one thread. */
export interface Masking {
  readonly secrets: Secrets;
  /** The same store, with every text in it masked. */
  masked(handles: HandleStore): HandleStore;
  /** How far the search for files with secrets is, after it had so much time; null where nothing is masked. */
  search(patienceMs: number): Promise<SecretSearch | null>;
  /** Brings the values of the files in the roots up to date. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Reads no file before the first refresh. */
export function openSecrets({ settings: { secrets: { mode, allow } }, roots, protectedPaths }: Config): Masking {
  if (mode === "off") {
    const done = () => Promise.resolve();
    const nothing = { search: () => Promise.resolve(null), refresh: done, close: done };
    return { secrets: withoutMasking, masked: (handles) => handles, ...nothing };
  }
  const masker = makeMasker();
  const files = makeSecretFiles({ roots, allowed: allow, closed: protectedPaths, masker, now: Date.now });
  return {
    secrets: makeSecrets(masker, files),
    masked: (handles) => maskedHandles(handles, masker),
    search: files.search,
    refresh: files.refresh,
    close: files.close,
  };
}
