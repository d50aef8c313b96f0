/** Client roots: they narrow the configured roots for a session, and never widen them. @module */
import { settlesWithin, unlessAborted } from "../../core/time.ts";
import type { Config } from "../../config/resolve.ts";
import type { Logger } from "../../obs/log.ts";
import { filePathOf } from "../../sys/files/file_url.ts";
import { commonRoots } from "../../roots/common_roots.ts";
import { makePathGuard, type PathGuard } from "../../roots/path_guard.ts";

/** The roots of one session. */
export interface ClientRoots {
  /** What its calls are held to; undefined when all configured roots are open to them. Asks the client when it must. */
  paths(request: AskingRequest): Promise<PathGuard | undefined>;
  /** The client says that they are others now. */
  changed(): void;
}

/** What it takes to know them. */
export interface ClientRootsDeps {
  readonly config: Config;
  /** Of the configured roots. */
  readonly paths: PathGuard;
  /** Whether the client has declared that it has roots. */
  readonly isDeclared: () => boolean;
  /** Aborts when the client will answer nothing any more. */
  readonly silent?: AbortSignal | undefined;
  readonly log: Logger;
}

/** A request of the client, over whose stream it can be asked in turn. */
export interface AskingRequest {
  readonly mcpReq: {
    /** Present in the protocol without handshake, in which a server asks nothing. */
    readonly envelope?: object | undefined;
    send(
      request: { method: "roots/list" },
      options: { timeout: number },
    ): Promise<{ readonly roots: readonly { readonly uri: string }[] }>;
  };
}

/** A client that does not answer holds no call up for longer; what it says later counts from then on. */
const PATIENCE_MS = 2_000, ASK_TIMEOUT_MS = 60_000;
/** More are no workspace. */
const MAX_ROOTS = 64;

/** Makes them: nothing is asked before the first call. */
export function makeClientRoots({ config, paths, isDeclared, silent, log }: ClientRootsDeps): ClientRoots {
  let guard: PathGuard | undefined;
  let waiting: Promise<unknown> | undefined;
  let isKnown = false, asked = 0;

  const applies = (): boolean => {
    const { client_roots, enforce_roots } = config.settings.tools;
    return client_roots === "narrow" && enforce_roots && config.roots.length > 0 && isDeclared();
  };

  /** What of the configured roots is left to the client; undefined for all of them. */
  async function narrowed(uris: readonly string[]): Promise<PathGuard | undefined> {
    const given = uris.slice(0, MAX_ROOTS).flatMap((uri) => filePathOf(uri) ?? []);
    const { common, missing } = await commonRoots(given, config, paths);
    if (missing.length > 0) {
      log.warn("roots of the client that do not exist are ignored", { client_roots: missing.join(":") });
    }
    const isNarrower = common.length > 0 && !config.roots.every((root) => common.includes(root));
    if (isNarrower) log.info("the client's roots narrow the configured ones", { roots: common.join(":") });
    else if (common.length === 0 && uris.length > 0) {
      log.warn("the client's roots have nothing in common with the configured ones, which stay open to it", {
        client_roots: given.join(":"),
      });
    }
    return isNarrower ? makePathGuard({ ...config, roots: common }, true) : undefined;
  }

  async function ask({ mcpReq }: AskingRequest): Promise<void> {
    isKnown = true; // until the client says that they have changed, which it may do before it answers
    const number = ++asked;
    try {
      const { roots } = await mcpReq.send({ method: "roots/list" }, { timeout: ASK_TIMEOUT_MS });
      const found = number === asked ? await narrowed(roots.map(({ uri }) => uri)) : undefined;
      if (number === asked) guard = found; // else a later answer counts
    } catch (error) {
      log.warn("the client did not list its roots", { detail: String(error) });
      // An error is an answer as well; what was not answered may have been lost with a stream.
      if (typeof Object(error).code !== "number") isKnown = false;
    }
  }

  return {
    async paths(request) {
      if (request.mcpReq.envelope !== undefined || !applies()) return undefined;
      if (!isKnown) waiting = settlesWithin(unlessAborted(ask(request), silent), PATIENCE_MS);
      await waiting;
      return guard;
    },
    changed() {
      isKnown = false;
    },
  };
}
