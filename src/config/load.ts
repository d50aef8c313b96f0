/** Finds and loads the configuration: defaults, file, environment, command line. @module */
import { parentOf } from "../core/path.ts";
import { isTable } from "./check_value.ts";
import { type Overrides, readCliLayer } from "./cli_layer.ts";
import { misspeltVariables, readEnvLayer, readRootLayer } from "./env_layer.ts";
import { ConfigError, type Problem } from "./error.ts";
import { fileSchema } from "./file_schema.ts";
import { OTHER_SPELLINGS } from "./keys.ts";
import type { Assignment, ConfigPlace, Layer, Origin } from "./layer.ts";
import type { Machine } from "./machine.ts";
import { type Merged, mergeLayers } from "./merge.ts";
import { isNarrower } from "./narrowing.ts";
import { absolutePath } from "./paths.ts";
import type { Settings } from "./schema.ts";
import { type ConfigFile, readTomlLayer } from "./toml_layer.ts";

/** What the command line asks for. */
export interface LoadRequest {
  /** `--config FILE`. */
  readonly configFile?: string;
  readonly overrides?: Overrides;
  /** Files that were there at the start: no other is read. Absent at the start itself. */
  readonly known?: readonly string[];
}

/** Settings as the operator wrote them, before this machine is asked what they mean. */
export interface Loaded {
  readonly settings: Settings;
  /** Layer of each key that is not at its default. */
  readonly origins: Readonly<Record<string, Origin>>;
  /** Absolute path of the operator's file; null when there was none. */
  readonly configFile: string | null;
  /** Absolute path of the file that was merely found in the working directory, and could only narrow; null without one. */
  readonly projectFile: string | null;
  /** Absolute paths of the operator's file and of all places where a start may look for one. */
  readonly places: readonly string[];
  /** Absolute path where a start looks for a project's file; null when that is one of the operator's places. */
  readonly projectPlace: string | null;
  readonly warnings: readonly string[];
  /** A fault of a key, or of one item of its list, with the place where it was set. */
  fault(name: string, message: string, item?: string): Problem;
}

/** The files of a start, and where they were looked for. */
export interface FoundFiles {
  /** The operator's. */
  readonly file: ConfigFile | null;
  /** `./llmc.toml`, which a repository can bring along and a program can write. */
  readonly project: ConfigFile | null;
  readonly searched: readonly string[];
}

/**
 * Finds the operator's file: `--config`, `LLMC_CONFIG`, `$XDG_CONFIG_HOME/llmc/llmc.toml`, `/etc/llmc/llmc.toml`; and, where
 * none is named, the project's: `./llmc.toml`.
 * @throws {ConfigError} when a file that was asked for is missing, or one that is there cannot be read
 */
export function findConfigFiles(request: LoadRequest, machine: Machine): FoundFiles {
  const asked = request.configFile ?? (machine.env.LLMC_CONFIG || undefined);
  if (asked !== undefined) {
    const path = absolutePath(asked, machine.workingDir, machine.homeDir);
    const text = readText(path, machine);
    const source = request.configFile === undefined ? "LLMC_CONFIG" : "--config";
    if (text === undefined) throw new ConfigError([{ where: source, message: `there is no file ${path}` }]);
    return { file: { path, text }, project: null, searched: [path] };
  }
  const [projectPlace = "", ...places] = usualPlaces(machine);
  const read = (path: string): ConfigFile | null => {
    if (request.known?.includes(path) === false) return null;
    const text = readText(path, machine);
    return text === undefined ? null : { path, text };
  };
  const project = places.includes(projectPlace) ? null : read(projectPlace);
  const searched = [projectPlace];
  for (const path of places) {
    searched.push(path);
    const file = read(path);
    if (file !== null) return { file, project, searched };
  }
  return { file: null, project, searched };
}

/**
 * Reads and merges all layers.
 * @throws {ConfigError} with every fault that was found and its place
 */
export function loadConfig(request: LoadRequest, machine: Machine): Loaded {
  const { file, project } = findConfigFiles(request, machine);
  const { workingDir, homeDir, env } = machine;
  const llmcRoot = env.LLMC_ROOT ? absolutePath(env.LLMC_ROOT, workingDir, homeDir) : undefined;
  const here = { folder: workingDir, homeDir, llmcRoot };
  const layers: Layer[] = [];
  const layerOf = (each: ConfigFile) => readTomlLayer(fileSchema, each, { ...here, folder: parentOf(each.path) });
  if (file) layers.push(layerOf(file));
  layers.push(readEnvLayer(fileSchema, env, here));
  if (request.overrides) layers.push(readCliLayer(fileSchema, request.overrides, here));
  if (llmcRoot !== undefined) layers.push(readRootLayer(fileSchema, llmcRoot, layers));
  const { settings, origins, assigned } = project
    ? narrow(layers, layerOf(project), project.path, machine)
    : mergeLayers(fileSchema, layers, homeDir);
  return {
    settings,
    origins,
    configFile: file?.path ?? null,
    projectFile: project?.path ?? null,
    ...placesOf(file, machine),
    warnings: misspeltVariables(fileSchema, env),
    fault: (name, message, item) => ({
      ...placeOf(assigned.get(name) ?? [], item),
      message: `${name}: ${message}`,
    }),
  };
}

/**
 * Lays what was found over the operator's layers. What it says that is the default anyway counts as not said: a file with
 * every key, as the one that comes with this program, then changes nothing.
 *
 * @throws {ConfigError} with every key that would open something
 */
function narrow(operators: readonly Layer[], project: Layer, path: string, machine: Machine): Merged {
  const defaults = mergeLayers(fileSchema, [], machine.homeDir).settings;
  const changes = ({ key, value }: Assignment) =>
    JSON.stringify(value) !== JSON.stringify(valueAt(defaults, OTHER_SPELLINGS[key.name] ?? key.name));
  const found = { ...project, assignments: project.assignments.filter(changes) };
  const widest = mergeLayers(fileSchema, operators, machine.homeDir);
  const merged = mergeLayers(fileSchema, [...operators, found], machine.homeDir);
  const at = {
    folder: parentOf(path),
    machine,
    rootsAreSet: widest.assigned.has("mcp.tools.allowed_roots") || !widest.settings.tools.enforce_roots,
  };
  const names = new Set(found.assignments.map(({ key }) => OTHER_SPELLINGS[key.name] ?? key.name));
  const problems = [...names].filter((name) =>
    !isNarrower(name, valueAt(merged.settings, name), valueAt(widest.settings, name), at)
  ).map((name) => ({
    ...placeOf(merged.assigned.get(name) ?? [], undefined),
    message: `${name}: would open more than your own configuration does, and ${path} was merely found; ` +
      `if you mean it: --config ${path}`,
  }));
  if (problems.length > 0) throw new ConfigError(problems);
  return merged;
}

function valueAt(settings: Settings, name: string): unknown {
  return name.split(".").reduce<unknown>((table, step) => isTable(table) ? table[step] : undefined, { mcp: settings });
}

function placeOf(assignments: readonly Assignment[], item: string | undefined): ConfigPlace {
  for (const { value, place } of assignments.toReversed()) {
    const index = Array.isArray(value) && item !== undefined ? value.indexOf(item) : -1;
    if (index >= 0) return place([index]);
  }
  return assignments.at(-1)?.place() ?? { where: "configuration" };
}

function placesOf(file: ConfigFile | null, machine: Machine): Pick<Loaded, "places" | "projectPlace"> {
  const [project = "", ...usual] = usualPlaces(machine);
  const places = [...new Set([...file ? [file.path] : [], ...usual])];
  return { places, projectPlace: places.includes(project) ? null : project };
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
