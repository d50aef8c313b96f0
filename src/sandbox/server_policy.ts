/** Builds the Landlock policy of the server worker and the indexer. @module */
import type { Config } from "../config/resolve.ts";
import { ownPath } from "../sys/own_files.ts";
import type { Policy } from "./landlock.ts";
import type { HostConfig } from "./protocol.ts";
import { etcPaths, foreignPrograms, SAFE_DEVICES, SYSTEM_DIRS, TERMINAL_DEVICES } from "./system_paths.ts";

/** Where the embedded ripgrep is put: in the data directory, which no tool and no child may touch. */
export function programDir({ dataDir }: Pick<Config, "dataDir">): string {
  return `${dataDir}/bin`;
}

/** Below it, under their usual names, those that programs may use. */
export function extraProgramsDir(config: Pick<Config, "dataDir">): string {
  return `${programDir(config)}/path`;
}

/**
 * The policy of their domain. Children of the spawner get a narrower one, inside it where main is confined too: only
 * there does it hold what such children need, or /proc/self/fd would be a second door to every open file.
 */
export function serverPolicy({ config, scratchDir, storeDir, homeDir }: HostConfig): Policy {
  const forChildren = !Deno.build.standalone;
  return {
    readOnly: ["/sys/fs/cgroup", ...etcPaths(true), ...ownFiles(), ...forChildren ? ["/proc"] : []],
    listed: [],
    readExecute: [...SYSTEM_DIRS, ...foreignPrograms(config), programDir(config)]
      .concat(forChildren ? config.toolFolders : []),
    readWrite: [...config.roots, scratchDir, ...forChildren ? [homeDir] : []],
    readWriteNoExecute: [storeDir],
    devices: [...SAFE_DEVICES, ...forChildren ? TERMINAL_DEVICES : []],
    connectPorts: null,
  };
}

/** What this program itself still opens inside the domain; `deno run` loads modules from disk. */
function ownFiles(): string[] {
  if (Deno.build.standalone) return [Deno.execPath()];
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return [Deno.execPath(), ownPath("."), cache];
}
