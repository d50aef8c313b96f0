/** The compared servers, each started with its own home directory. @module */
import type { ServerCommand } from "./stdio_client.ts";

/** One server. */
export interface Contestant {
  readonly key: "desktopCommander" | "ours";
  readonly title: string;
  /** How it is started over a workspace. */
  command(dir: string, home: string): Promise<ServerCommand>;
}

const DESKTOP_COMMANDER = "@wonderwhy-er/desktop-commander@0.2.52";

/** Installs Desktop Commander once into a folder. @returns its main module. */
export async function installDesktopCommander(folder: string): Promise<string> {
  const main = `${folder}/node_modules/@wonderwhy-er/desktop-commander/dist/index.js`;
  if (await Deno.stat(main).then(() => true, () => false)) return main;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  // Its install script reports the installation to its maker; what it needs works without.
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", DESKTOP_COMMANDER];
  const { success } = await new Deno.Command("npm", { args, cwd: folder, stdout: "null" }).output();
  if (!success) throw new Error(`${DESKTOP_COMMANDER} cannot be installed`);
  return main;
}

/** Desktop Commander with telemetry off and the workspace as its only folder. */
export function desktopCommander(main: string): Contestant {
  return {
    key: "desktopCommander",
    title: "Desktop Commander 0.2.52",
    async command(dir, home) {
      await Deno.mkdir(`${home}/.claude-server-commander`, { recursive: true });
      const config = { telemetryEnabled: false, allowedDirectories: [dir], defaultShell: "/bin/bash" };
      await Deno.writeTextFile(`${home}/.claude-server-commander/config.json`, JSON.stringify(config));
      return { program: "node", args: [main], env: environment(home), cwd: dir };
    },
  };
}

/** @param list which tools are listed; the default when empty */
export function ours(binary: string, list: string): Contestant {
  const setting = list === "" ? [] : ["--set", `mcp.tools.list=${list}`];
  return {
    key: "ours",
    title: "llmc-mcp",
    command: (dir, home) =>
      Promise.resolve({
        program: binary,
        args: ["stdio", "--root", dir, ...setting],
        env: environment(home),
        cwd: dir,
      }),
  };
}

function environment(home: string): Record<string, string> {
  return {
    HOME: home,
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    LANG: "C.UTF-8",
    XDG_STATE_HOME: `${home}/state`,
  };
}
