/** Starts the sandboxed process for a command, and stops it in order. @module */
import { within } from "../core/time.ts";
import { isInside } from "../core/path.ts";
import type { AppVerbs } from "../app/verbs.ts";
import type { Config } from "../config/resolve.ts";
import { launch, type Running, SandboxLeak } from "../sandbox/launch.ts";
import type { Face, Level, Startup } from "../sandbox/protocol.ts";
import { programDir } from "../sandbox/server_policy.ts";
import { makeAssets } from "../sys/assets.ts";
import { findRipgrep } from "../sys/search/find_ripgrep.ts";
import { TEST_SWITCHES } from "../sys/script.ts";
import { EXIT, say } from "./output.ts";
import { makeThread } from "./thread.ts";

const SEARCH_PATH = ["/usr/local/bin", "/usr/bin", "/bin"];
/** After the end of input or a signal the process is gone within a second. */
const STOP_LIMIT_MS = 900;

/** A started process and its end. */
export interface Started extends Running<AppVerbs> {
  /** Resolves with the exit code when the face ended or a signal came, after everything was stopped. */
  readonly ended: Promise<number>;
  /** Ends it now. */
  stop(): Promise<void>;
  /** Lets `ended` resolve. */
  end(): void;
}

/** The server could not be started. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Starts everything. A thread that dies later ends the process. @throws StartError */
export async function start(config: Config, face: Face): Promise<Started> {
  try {
    return await startOrThrow(config, face, (thread, message) => {
      say(`llmc-mcp: the ${thread} thread failed: ${message}`);
      Deno.exit(EXIT.internal);
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isLeak = error instanceof SandboxLeak;
    throw new StartError(isLeak ? `not started, because the sandbox self-test failed: ${message}` : message, {
      cause: error,
    });
  }
}

/**
 * Starts everything, and passes on why it failed.
 *
 * @param onCrash Told when a thread dies later.
 * @throws SandboxLeak, and Error when something that is needed is missing
 */
export async function startOrThrow(
  config: Config,
  face: Face,
  onCrash: (thread: string, message: string) => void,
): Promise<Started> {
  const { promise: ending, resolve: end } = Promise.withResolvers<number>();
  const endWell = () => end(EXIT.ok);
  // A server reads its configuration again at a hang-up; see reload.ts.
  const signals = ["SIGINT", "SIGTERM", ...face.kind === "command" ? ["SIGHUP" as const] : []] as const;
  const running = await launch<AppVerbs>({
    config,
    face,
    ripgrep: ripgrepFor(config),
    makeThread,
    extraHosts: extraHosts(config),
    forcedLevel: await forcedLevel(),
    beforeServing: () => signals.forEach((signal) => Deno.addSignalListener(signal, endWell)),
    onFinished: endWell,
    onCrash,
    say,
  });
  let stopping: Promise<void> | undefined;
  const stop = () => stopping ??= within(running.close(), STOP_LIMIT_MS, undefined);
  const ended = ending.then(async (code) => {
    await stop();
    return code;
  });
  return { ...running, ended, stop, end: endWell };
}

async function ripgrepFor(config: Config): Promise<Startup["ripgrep"]> {
  const found = await findRipgrep({
    searchPath: SEARCH_PATH,
    accepts: (path) => !config.roots.some((root) => isInside(path, root) && root !== "/usr" && root !== "/"),
    assets: makeAssets(),
    cacheDir: programDir(config),
  });
  return { path: found.path, detail: found.path === null ? found.reason : `${found.version} (${found.source})` };
}

/** Host of the optional embeddings service, as Deno's permission check writes it. */
function extraHosts({ settings }: Config): string[] {
  if (!settings.rag.embeddings_url) return [];
  const { hostname, port, protocol } = new URL(settings.rag.embeddings_url);
  return [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`];
}

const LEVELS: readonly Level[] = ["full", "landlock", "bwrap", "none"];

/** A build for tests carries this asset and can pretend to be on a lesser machine; a release does not have it. */
async function forcedLevel(): Promise<Level | null> {
  const wanted = Deno.env.get("LLMC_TEST_LEVEL");
  if (wanted === undefined || !(TEST_SWITCHES in await makeAssets().list())) return null;
  return LEVELS.find((level) => level === wanted) ?? null;
}
