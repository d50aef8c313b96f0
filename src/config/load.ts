/** Finds and loads the configuration: defaults, file, environment, command line. @module */
import { parentOf } from "../core/path.ts";
import { type Overrides, readCliLayer } from "./cli_layer.ts";
import { misspeltVariables, readEnvLayer, readRootLayer } from "./env_layer.ts";
import { ConfigError, type Problem } from "./error.ts";
import { fileSchema } from "./file_schema.ts";
import type { Assignment, ConfigPlace, Layer, Origin } from "./layer.ts";
import type { Machine } from "./machine.ts";
import { mergeLayers } from "./merge.ts";
import { absolutePath } from "./paths.ts";
import type { Settings } from "./schema.ts";
import { type ConfigFile, readTomlLayer } from "./toml_layer.ts";

/** What the command line asks for. */
export interface LoadRequest {
  /** `--config FILE`. */
  readonly configFile?: string;
  readonly overrides?: Overrides;
}

/** Settings as the operator wrote them, before this machine is asked what they mean. */
export interface Loaded {
  readonly settings: Settings;
  /** Layer of each key that is not at its default. */
  readonly origins: Readonly<Record<string, Origin>>;
  /** Absolute path of the file that was read; null when there was none. */
  readonly configFile: string | null;
  /** Whether somebody named the file, by `--config` or LLMC_CONFIG. */
  readonly asked: boolean;
  /** What the file itself says, by dotted key, whatever later layers say. */
  readonly fromFile: Readonly<Record<string, unknown>>;
  /** Absolute paths of the file that was read and of all places where a start may look for one. */
  readonly places: readonly string[];
  readonly warnings: readonly string[];
  /** A fault of a key, or of one item of its list, with the place where it was set. */
  fault(name: string, message: string, item?: string): Problem;
}

/**
 * Finds the file: `--config`, `LLMC_CONFIG`, `./llmc.toml`, `$XDG_CONFIG_HOME/llmc/llmc.toml`, `/etc/llmc/llmc.toml`.
 * @throws {ConfigError} when a file that was asked for is missing, or one that is there cannot be read
 */
export function findConfigFile(
  request: LoadRequest,
  machine: Machine,
): { readonly file: ConfigFile | null; readonly searched: readonly string[] } {
  const asked = request.configFile ?? (machine.env.LLMC_CONFIG || undefined);
  if (asked !== undefined) {
    const path = absolutePath(asked, machine.workingDir, machine.homeDir);
    const text = readText(path, machine);
    const source = request.configFile === undefined ? "LLMC_CONFIG" : "--config";
    if (text === undefined) throw new ConfigError([{ where: source, message: `there is no file ${path}` }]);
    return { file: { path, text }, searched: [path] };
  }
  const searched: string[] = [];
  for (const path of usualPlaces(machine)) {
    searched.push(path);
    const text = readText(path, machine);
    if (text !== undefined) return { file: { path, text }, searched };
  }
  return { file: null, searched };
}

/**
 * Reads and merges all layers.
 * @throws {ConfigError} with every fault that was found and its place
 */
export function loadConfig(request: LoadRequest, machine: Machine): Loaded {
  const { file } = findConfigFile(request, machine);
  const { workingDir, homeDir, env } = machine;
  const llmcRoot = env.LLMC_ROOT ? absolutePath(env.LLMC_ROOT, workingDir, homeDir) : undefined;
  const here = { folder: workingDir, homeDir, llmcRoot };
  const layers: Layer[] = [];
  const fileLayer = file ? readTomlLayer(fileSchema, file, { ...here, folder: parentOf(file.path) }) : null;
  if (fileLayer) layers.push(fileLayer);
  layers.push(readEnvLayer(fileSchema, env, here));
  if (request.overrides) layers.push(readCliLayer(fileSchema, request.overrides, here));
  if (llmcRoot !== undefined) layers.push(readRootLayer(fileSchema, llmcRoot, layers));
  const { settings, origins, assigned } = mergeLayers(fileSchema, layers, homeDir);
  return {
    settings,
    origins,
    configFile: file?.path ?? null,
    asked: request.configFile !== undefined || Boolean(env.LLMC_CONFIG),
    fromFile: Object.fromEntries(fileLayer?.assignments.map(({ key, value }) => [key.name, value]) ?? []),
    places: [...new Set([...file ? [file.path] : [], ...usualPlaces(machine)])],
    warnings: misspeltVariables(fileSchema, env),
    fault: (name, message, item) => ({
      ...placeOf(assigned.get(name) ?? [], item),
      message: `${name}: ${message}`,
    }),
  };
}

function placeOf(assignments: readonly Assignment[], item: string | undefined): ConfigPlace {
  for (const { value, place } of assignments.toReversed()) {
    const index = Array.isArray(value) && item !== undefined ? value.indexOf(item) : -1;
    if (index >= 0) return place([index]);
  }
  return assignments.at(-1)?.place() ?? { where: "configuration" };
}

function usualPlaces({ env, homeDir, workingDir }: Machine): string[] {
  const configured = env.XDG_CONFIG_HOME ?? "";
  // the XDG specification has relative values ignored
  const configHome = configured.startsWith("/") ? configured : `${homeDir}/.config`;
  return [`${workingDir}/llmc.toml`, `${configHome}/llmc/llmc.toml`, "/etc/llmc/llmc.toml"]
    .map((path) => absolutePath(path, "/", homeDir));
}

function readText(path: string, machine: Machine): string | undefined {
  try {
    return machine.readText(path)?.replace(/^\uFEFF/, "");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([{ where: path, message: `the file cannot be read: ${reason}` }]);
  }
}
