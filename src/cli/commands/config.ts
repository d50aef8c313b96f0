/** `llmc-mcp config show|check|schema|path`: shows and checks the configuration and its sources. @module */
import { type ConfigRow, configRows, describeConfig } from "../../config/describe.ts";
import { ConfigError } from "../../config/error.ts";
import { fileSchema } from "../../config/file_schema.ts";
import { findConfigFiles, type LoadRequest } from "../../config/load.ts";
import type { Machine } from "../../config/machine.ts";
import type { Config } from "../../config/resolve.ts";
import { tomlValue } from "../../config/toml.ts";
import { thisMachine } from "../../sys/machine.ts";
import { type ConfigFlags, loadRequest, resolve } from "../settings.ts";
import { EXIT, print } from "../output.ts";

/** Where a command prints. */
export interface ConfigIo {
  print(text: string): void;
  /** Whether the reader sees colours. */
  readonly colour: boolean;
}

/** Runs one of the four by its name. @throws {ConfigError} from all but `check`, which prints it */
export function config(name: string, flags: ConfigFlags & { readonly json?: boolean }): number {
  const io: ConfigIo = { print, colour: Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR") };
  switch (name) {
    case "show":
      return configShow(io, resolve(flags), flags.json ?? false);
    case "check":
      return configCheck(io, () => resolve(flags));
    case "schema":
      return configSchema(io);
    default:
      return configPath(io, loadRequest(flags), thisMachine());
  }
}

/** Prints every effective value and the layer that set it, without secrets. */
export function configShow(io: ConfigIo, config: Config, json: boolean): number {
  if (json) {
    io.print(`${JSON.stringify(describeConfig(config), null, 2)}\n`);
    return EXIT.ok;
  }
  const rows = configRows(config);
  const width = Math.max(...rows.map(({ key }) => key.length));
  const colour = paint(io);
  const sections = Map.groupBy(rows, ({ key }) => key.slice(0, key.lastIndexOf(".")));
  const blocks = [...sections.values()].map((block) => block.map((row) => line(row, width, colour)));
  const facts = summary(config).map(([name, text]) => `${name.padEnd(width)}  ${text}`);
  io.print([...blocks, facts].map((block) => `${block.join("\n")}\n`).join("\n"));
  return EXIT.ok;
}

/** Reads everything and says whether it can be used. */
export function configCheck(io: ConfigIo, read: () => Config): number {
  const colour = paint(io);
  try {
    const { configFile, projectFile, origins, warnings } = read();
    for (const warning of warnings) io.print(`${colour(33, "warning")}  ${warning}\n`);
    const count = Object.keys(origins).length;
    const changed = count === 1 ? "1 key differs from its default" : `${count} keys differ from their defaults`;
    io.print(
      `${colour(32, "ok")}  ${
        [configFile, projectFile].filter((path) => path !== null).join(", ") || "no file"
      }; ${changed}\n`,
    );
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { length } = error.problems;
    io.print(`${error.message}\n${colour(31, `${length} ${length === 1 ? "mistake" : "mistakes"}`)}\n`);
    return EXIT.config;
  }
}

/** Prints the JSON Schema of llmc.toml. */
export function configSchema(io: ConfigIo): number {
  io.print(`${JSON.stringify(fileSchema, null, 2)}\n`);
  return EXIT.ok;
}

/** Prints the files that are read, the operator's first; when there is none, where it was looked for. */
export function configPath(io: ConfigIo, request: LoadRequest, machine: Machine): number {
  const { file, project, searched } = findConfigFiles(request, machine);
  const found = [file, project].filter((each) => each !== null);
  if (found.length > 0) io.print(found.map(({ path }) => `${path}\n`).join(""));
  else io.print(`no file, so the defaults hold; looked for\n${searched.map((path) => `  ${path}\n`).join("")}`);
  return EXIT.ok;
}

type Paint = (code: number, text: string) => string;

function paint({ colour }: ConfigIo): Paint {
  return (code, text) => colour ? `\x1b[${code}m${text}\x1b[0m` : text;
}

const DIM = 2, BOLD = 1;
const LAYER_WIDTH = "default".length;

function line({ key, value, origin }: ConfigRow, width: number, colour: Paint): string {
  const text = `${key.padEnd(width)}  ${origin.padEnd(LAYER_WIDTH)}  ${tomlValue(value)}`;
  return colour(origin === "default" ? DIM : BOLD, text);
}

function summary(
  { configFile, projectFile, roots, unconfined, dataDir, binaries, missingBinaries, warnings }: Config,
): [string, string][] {
  const absent = missingBinaries.length === 0 ? "" : `; not installed: ${missingBinaries.join(", ")}`;
  return [
    ["file", configFile ?? "none"],
    ...projectFile === null ? [] : [["narrowed by", projectFile] satisfies [string, string]],
    ["roots", unconfined ? "the whole machine" : roots.join(", ") || "none"],
    ["data directory", dataDir],
    ["programs", `${Object.keys(binaries).length} allowed${absent}`],
    ...warnings.map((warning): [string, string] => ["warning", warning]),
  ];
}
