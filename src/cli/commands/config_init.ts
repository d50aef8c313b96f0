/** `llmc-mcp config init`: creates a configuration file to start from, and never changes an existing one. @module */
import { ConfigError } from "../../config/error.ts";
import { absolutePath } from "../../config/paths.ts";
import { parentOf } from "../../core/path.ts";
import { tomlValue } from "../../config/toml.ts";
import { thisMachine } from "../../sys/machine.ts";
import { EXIT, print, say } from "../output.ts";
import type { ConfigFlags } from "../settings.ts";

/** Creates the file. The exit code is 1 when it exists or cannot be written. @throws ConfigError for a bad root */
export function configInit({ root = [], config }: Pick<ConfigFlags, "root" | "config">): number {
  const { env, homeDir, workingDir, realPath, isDirectory } = thisMachine();
  const folders = (root.length > 0 ? root : ["."]).map((folder) => {
    const real = realPath(absolutePath(folder, workingDir, homeDir));
    if (real !== undefined && isDirectory(real)) return real;
    throw new ConfigError([{ where: "--root", message: `there is no folder ${folder}` }]);
  });
  const configHome = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : `${homeDir}/.config`;
  const path = absolutePath(config ?? `${configHome}/llmc/llmc.toml`, workingDir, homeDir);
  try {
    Deno.mkdirSync(parentOf(path), { recursive: true });
    Deno.writeTextFileSync(path, template(folders), { createNew: true, mode: 0o600 });
  } catch (error) {
    const isThere = error instanceof Deno.errors.AlreadyExists && isDirectory(parentOf(path));
    if (isThere) return refuse(`${path} exists and was not changed; edit it instead`);
    return refuse(`cannot create ${path}: ${error instanceof Error ? error.message : error}`);
  }
  print(`created ${path}\n`);
  return EXIT.ok;
}

function refuse(reason: string): number {
  say(`llmc-mcp: ${reason}`);
  return EXIT.failed;
}

function template(roots: readonly string[]): string {
  return `# Configuration of llmc-mcp. "llmc-mcp config show" prints every key and its value; docs/config.md explains them.

[mcp]
# read_only = true              # refuse every tool that writes, deletes or runs programs

[mcp.tools]
allowed_roots = ${tomlValue(roots)}  # the only folders that tools may use
# network = "off"
`;
}
