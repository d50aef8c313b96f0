/** Checks the configuration and reports each error with its location. @module */
import { quoteWord } from "../../core/argv.ts";
import { ConfigError, type Problem } from "../../config/error.ts";
import { loadConfig } from "../../config/load.ts";
import { type Config, resolveConfig } from "../../config/resolve.ts";
import { thisMachine } from "../../sys/machine.ts";
import { type ConfigFlags, resolve } from "../settings.ts";
import { type Finding, finding } from "./finding.ts";

/** What came of reading it. */
export interface Configuration {
  /** The defaults where it cannot be used, so that the rest can be looked at all the same. */
  readonly config: Config;
  readonly isUsable: boolean;
  readonly findings: readonly Finding[];
}

/** Reads it as a server would. */
export function checkConfiguration(flags: ConfigFlags): Configuration {
  const name = "configuration";
  try {
    const config = resolve(flags);
    const files = [config.configFile, config.projectFile].filter((path) => path !== null);
    const detail = files.join(", narrowed by ") || "defaults; no llmc.toml found";
    const findings = [finding(name, "ok", detail), ...config.warnings.map((text) => finding("warning", "warn", text))];
    if (!config.settings.enabled) {
      findings.push(finding(name, "bad", "mcp.enabled is false: the server is disabled", "set mcp.enabled = true"));
    }
    return { config, isUsable: true, findings };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: defaults(), isUsable: false, findings: error.problems.map(problemFinding) };
  }
}

/** The defaults, as on a machine without any configuration. */
function defaults(): Config {
  const machine = { ...thisMachine(), env: {}, readText: () => undefined };
  return resolveConfig(loadConfig({}, machine), machine);
}

function problemFinding({ where, message, excerpt }: Problem): Finding {
  const detail = excerpt === undefined ? `${where}: ${message}` : `${where}: ${message}\n${excerpt}`;
  return finding("configuration", "bad", detail, fixOf(where, message));
}

function fixOf(where: string, message: string): string {
  const missing = message.match(/: (\/.*) does not exist, or cannot be reached/)?.[1];
  if (missing !== undefined) return `mkdir -p ${quoteWord(missing)}`;
  const place = where.match(/^(\/.*?):(\d+)(?::\d+)?$/);
  if (place) return `\${EDITOR:-vi} +${place[2]} ${quoteWord(place[1] ?? "")}`;
  return /^LLMC_\w+$/.test(where) ? `unset ${where}` : "llmc-mcp config show lists every key";
}
