/** What the server worker and the indexer may reach. @module */
import type { Config } from "../config/resolve.ts";
import type { Policy } from "./landlock.ts";
import type { HostConfig } from "./protocol.ts";
import { etcPaths, foreignBinaryDirs, SAFE_DEVICES, SYSTEM_DIRS, TERMINAL_DEVICES } from "./system_paths.ts";

/** Where the embedded ripgrep is put: in the data directory, which no tool and no child may touch. */
export function programDir({ dataDir }: Pick<Config, "dataDir">): string {
  return `${dataDir}/bin`;
}

/** The policy of their domain. Children of the spawner get a narrower one inside it. */
export function serverPolicy({ config, scratchDir }: HostConfig): Policy {
  return {
    readOnly: ["/proc", "/sys/fs/cgroup", ...etcPaths(true), ...ownFiles()],
    readExecute: [...SYSTEM_DIRS, ...foreignBinaryDirs(config.binaries, config.roots), programDir(config)],
    readWrite: [...config.roots, scratchDir],
    readWriteNoExecute: [config.dataDir],
    devices: [...SAFE_DEVICES, ...TERMINAL_DEVICES],
    connectPorts: null,
  };
}

/** What this program itself still opens inside the domain; `deno run` loads modules from disk. */
function ownFiles(): string[] {
  if (Deno.build.standalone) return [Deno.execPath()];
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return [Deno.execPath(), new URL("../../", import.meta.url).pathname, cache];
}
