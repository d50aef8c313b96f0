/** Creates folders and the self-test's canary on disk before anything is confined. @module */
import { parentOf } from "../core/path.ts";
import type { Config } from "../config/resolve.ts";
import type { Canary, Face, HostConfig, Level } from "./protocol.ts";
import { makeHome } from "./private_home.ts";
import { extraProgramsDir } from "./server_policy.ts";
import { auditPath, openStoreDir } from "./store_dir.ts";

const CANARY_LINK = ".canary-";
const STALE_MS = 3_600_000;

/**
 * Makes the directories and the canary while this thread may still do anything.
 *
 * @throws Error when the data directory cannot be used
 */
export function prepareHost(
  { config, forcedLevel, face }: { readonly config: Config; readonly forcedLevel: Level | null; readonly face: Face },
  runtimeDir: string,
  landlockAbi: number,
): HostConfig {
  const storeDir = openStoreDir(config.dataDir), homeDir = makeHome(config);
  const scratchDir = `${runtimeDir}/scratch`;
  Deno.mkdirSync(scratchDir, { mode: 0o700 });
  const canary = placeCanary(`${runtimeDir}/canary`, storeDir);
  Deno.writeTextFileSync(`${storeDir}/.own`, "own", { mode: 0o600 });
  if (config.settings.observability.csv_token_audit_enabled) linkAudit(config, storeDir);
  // What is not there cannot be covered, and a program in the roots could make it.
  const ownFolders = [config.dataDir, ...configFolders(config)].filter(makeFolder);
  const marker = `${Deno.pid}-${crypto.randomUUID()}`;
  return {
    config: withEmbedded(config),
    ownFolders,
    canary,
    storeDir,
    runtimeDir,
    scratchDir,
    homeDir,
    extraPrograms: extraProgramsDir(config),
    marker,
    serverPid: Deno.pid,
    landlockAbi,
    keepsNamespace: face.kind !== "command",
    forcedLevel,
  };
}

/**
 * Lets the operator find the token audit where the configuration says that it is: the server may write only in its store
 * directory, whose name is random.
 */
function linkAudit({ dataDir, settings: { observability: { csv_path } } }: Config, storeDir: string): void {
  const target = auditPath(storeDir, dataDir, csv_path);
  Deno.mkdirSync(parentOf(csv_path), { recursive: true, mode: 0o700 });
  try {
    if (Deno.readLinkSync(csv_path) === target) return;
    Deno.removeSync(csv_path); // of a store directory that is gone
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return; // a file that is not ours stays
  }
  Deno.symlinkSync(target, csv_path);
}

/** An allowed rg that the machine does not have is the embedded one. */
function withEmbedded(config: Config): Config {
  if (!config.missingBinaries.includes("rg")) return config;
  return {
    ...config,
    binaries: { ...config.binaries, rg: `${extraProgramsDir(config)}/rg` },
    missingBinaries: config.missingBinaries.filter((name) => name !== "rg"),
  };
}

/**
 * Puts a secret into a new folder.
 *
 * @param granted Folder for the link; not a root, because nothing is written among a user's files.
 */
export function placeCanary(folder: string, granted: string): Canary {
  const link = `${granted}/${CANARY_LINK}${crypto.randomUUID()}`, secret = crypto.randomUUID();
  Deno.mkdirSync(folder, { mode: 0o700 });
  Deno.writeTextFileSync(`${folder}/secret`, secret, { mode: 0o600 });
  Deno.symlinkSync(folder, link);
  return { path: `${folder}/secret`, link, linked: `${link}/secret`, secret };
}

/** Removes the links of servers that were killed; a young one may belong to a server in another container. */
export async function sweepCanaryLinks(storeDir: string): Promise<void> {
  const oldestMs = Date.now() - STALE_MS;
  for await (const { name, isSymlink } of Deno.readDir(storeDir)) {
    const path = `${storeDir}/${name}`;
    if (!isSymlink || !name.startsWith(CANARY_LINK) || !await isStale(path, oldestMs)) continue;
    await Deno.remove(path).catch(() => {}); // another server was faster
  }
}

/** Whether a link is old and leads nowhere. */
async function isStale(link: string, oldestMs: number): Promise<boolean> {
  const madeMs = (await Deno.lstat(link).catch(() => null))?.mtime?.getTime() ?? Infinity;
  if (madeMs > oldestMs) return false;
  return await Deno.stat(link).then(() => false, (error: unknown) => error instanceof Deno.errors.NotFound);
}

/** The folder among the user's configuration, if in a root: a program that can create it decides about the next start. */
function configFolders({ protectedPaths, unconfined }: Config): string[] {
  if (unconfined) return [];
  return protectedPaths.filter((path) => path.endsWith("/llmc/llmc.toml")).map((path) => parentOf(path))
    .filter((folder) => folder !== Deno.cwd()); // there it is a project that happens to have the name
}

/** Whether a folder is there in the end. */
function makeFolder(path: string): boolean {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false; // who cannot make it here cannot make it in a child either
  }
}
