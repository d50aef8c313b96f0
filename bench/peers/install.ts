/** Installs the peers, and packages to search in, from npm at fixed versions into a folder that is kept. @module */
import { desktopCommander } from "./desktop_commander.ts";
import type { Contestant } from "./hands.ts";
import { commandServer, filesystemServer } from "./other_peers.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
/** Below a folder that git ignores. */
export const CACHE = `${ROOT}artifacts/bench`;

interface Peer {
  readonly package: string;
  /** Hundreds of megabytes: a check does without, unless it is there. */
  readonly isLarge?: boolean;
  readonly version: string;
  readonly main: string;
  readonly make: (main: string, version: string) => Contestant;
}

const PEERS: readonly Peer[] = [
  {
    package: "@wonderwhy-er/desktop-commander",
    version: "0.2.52",
    isLarge: true,
    main: "dist/index.js",
    make: desktopCommander,
  },
  {
    package: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    main: "dist/index.js",
    make: filesystemServer,
  },
  { package: "mcp-server-commands", version: "0.5.0", main: "build/index.js", make: commandServer },
];

/** Packages without dependencies, whose files make the tree that is searched. */
const TREE_PACKAGES = ["core-js@3.40.0", "date-fns@4.1.0", "lodash@4.17.21", "rxjs@7.8.1", "typescript@5.9.2"];

/** The peers, installed. Those that cannot be had are left out and named. @param small only what is there or is small */
export async function installPeers(small = false): Promise<{ peers: Contestant[]; missing: string[] }> {
  const peers: Contestant[] = [], missing: string[] = [];
  for (const { package: name, version, main, make, isLarge } of PEERS) {
    const there = `${folderOf(name, version)}/node_modules/${name}/${main}`;
    const canBring = !(small && isLarge);
    const path = canBring ? await installPackage(name, version, main) : await installed(there) ? there : undefined;
    if (path !== undefined) {
      peers.push(make(path, version));
    } else if (canBring) missing.push(`${name}@${version}`);
  }
  return { peers, missing };
}

/** Folder with the packages of the searched tree. @throws Error when npm cannot bring them */
export async function installTree(): Promise<string> {
  const folder = `${CACHE}/tree-packages`;
  if (await installed(`${folder}/done`)) return `${folder}/node_modules`;
  if (!await npmInstall(folder, TREE_PACKAGES)) throw new Error("npm cannot bring the packages to search in");
  await Deno.writeTextFile(`${folder}/done`, "");
  return `${folder}/node_modules`;
}

/** The path of a file in a package; undefined when npm cannot bring it. */
export async function installPackage(name: string, version: string, main: string): Promise<string | undefined> {
  const folder = folderOf(name, version), path = `${folder}/node_modules/${name}/${main}`;
  const isThere = await installed(path) || await npmInstall(folder, [`${name}@${version}`]) && await installed(path);
  return isThere ? path : undefined;
}

function folderOf(name: string, version: string): string {
  return `${CACHE}/peers/${name.replaceAll(/[@/]/g, "_")}-${version}`;
}

function installed(path: string): Promise<boolean> {
  return Deno.stat(path).then(() => true, () => false);
}

/** Install scripts do not run: one of them reports the installation to its maker. */
async function npmInstall(folder: string, packages: readonly string[]): Promise<boolean> {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", ...packages];
  const npm = new Deno.Command("npm", { args, cwd: folder, stdin: "null", stdout: "null", stderr: "null" });
  return await npm.output().then(({ success }) => success, () => false);
}
