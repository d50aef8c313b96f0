/** Resolves settings against this machine: real roots, programs, data directory, protected paths. @module */
import { baseName, isInside, isInsideAny, joinPath, parentOf } from "../core/path.ts";
import { contradictions } from "./consistency.ts";
import { ConfigError, type Problem } from "./error.ts";
import type { Origin } from "./layer.ts";
import type { Loaded } from "./load.ts";
import type { Machine } from "./machine.ts";
import { absolutePath, plannedPath } from "./paths.ts";
import { type FoundPrograms, resolvePrograms } from "./programs.ts";
import { resolveIndexed, resolveRoots } from "./roots.ts";
import type { Settings } from "./schema.ts";
import { findToolChains, type ToolChains } from "./tool_chains.ts";

/** Everything that the rest of the program knows of its configuration: plain data that can be sent to a worker. */
export interface Config extends ToolChains {
  /** Effective settings, nested as in the file; its paths are absolute, roots are real. */
  readonly settings: Settings;
  /** Real paths of the folders that tools may touch; none lies inside another. */
  readonly roots: readonly string[];
  /** Real path of each root that was named through a symbolic link, by the path that was given. */
  readonly rootSpellings?: Readonly<Record<string, string>>;
  /** Whether the roots are the whole machine: `enforce_roots` is false or a root is `/`. Then they are `["/"]`. */
  readonly unconfined: boolean;
  /** Real path of the data directory; it need not exist yet. */
  readonly dataDir: string;
  readonly homeDir: string;
  /** Absolute path of the file that was read; null when there was none. */
  readonly configFile: string | null;
  /** Absolute path of the file that was merely found, and narrowed the rest; null without one. */
  readonly projectFile: string | null;
  /** Allowed programs: name to real path. */
  readonly binaries: Readonly<Record<string, string>>;
  /** Allowed programs that this machine does not have. */
  readonly missingBinaries: readonly string[];
  /** Names of programs that this machine has, and that are not allowed. */
  readonly otherBinaries: readonly string[];
  /**
   * Paths inside a root that no tool may touch: data directory, token and key files, allowed programs, the configuration
   * file and the places where another start would look for one. They need not exist.
   */
  readonly protectedPaths: readonly string[];
  /** Those of them that decide what this server does: no program may write them, whatever confines it. */
  readonly operatorPaths: readonly string[];
  /** Those of them that hold a secret: no program may read them. */
  readonly secretPaths: readonly string[];
  /** Whether this runs inside a container. */
  readonly container: string;
  /** Layer that set each key that is not at its default. */
  readonly origins: Readonly<Record<string, Origin>>;
  /** What the operator should know about a configuration that is valid. */
  readonly warnings: readonly string[];
}

/**
 * Asks the machine what the settings mean.
 * @throws {ConfigError} with every root that is not a folder and every contradiction between settings
 */
export function resolveConfig(loaded: Loaded, machine: Machine): Config {
  const { settings } = loaded;
  const { roots, unconfined, spellings, problems: rootProblems } = resolveRoots(loaded, machine);
  const indexed = resolveIndexed(roots, loaded, machine);
  const dataDir = plannedPath(dataDirOf(settings, machine), machine);
  const csvPath = absolutePath(settings.observability.csv_path, dataDir, machine.homeDir);
  const problems = [
    ...contradictions(loaded),
    ...rootProblems,
    ...(rootProblems.length === 0 ? indexed.problems : []),
    ...misplaced(loaded, roots, dataDir, csvPath),
    ...linkedSecrets(loaded, roots, machine),
  ];
  if (problems.length > 0) throw new ConfigError(problems);

  const chains = findToolChains(settings, { roots, dataDir }, machine);
  const programs = resolvePrograms(settings, chains.programFolders, machine);
  const own = ownPaths(loaded, dataDir, machine);
  const inRoot = (path: string) => isInsideAny(path, roots);
  return {
    settings: {
      ...settings,
      data_dir: dataDir,
      tools: { ...settings.tools, allowed_roots: [...roots] },
      rag: { ...settings.rag, roots: [...indexed.folders] },
      observability: { ...settings.observability, csv_path: csvPath },
    },
    roots,
    rootSpellings: spellings,
    unconfined,
    dataDir,
    homeDir: machine.homeDir,
    configFile: loaded.configFile,
    projectFile: loaded.projectFile,
    binaries: programs.found,
    missingBinaries: programs.missing,
    otherBinaries: programs.others,
    ...chains,
    protectedPaths: [...new Set([...own, ...projectPlaces(loaded, machine), ...Object.values(programs.found)])].filter(
      inRoot,
    ),
    operatorPaths: own.filter(inRoot),
    secretPaths: secretFiles(settings).map(([, path]) => plannedPath(path, machine)).filter(inRoot),
    container: machine.container,
    origins: loaded.origins,
    warnings: [...loaded.warnings, ...warningsOf(roots, unconfined, programs, settings)],
  };
}

function dataDirOf(settings: Settings, machine: Machine): string {
  if (settings.data_dir !== "") return settings.data_dir;
  const volume = settings.docker.data_volume;
  if (machine.container !== "" && volume !== "" && machine.isDirectory(volume)) return volume;
  const state = machine.env.XDG_STATE_HOME ?? "";
  // the XDG specification has relative values ignored
  return `${state.startsWith("/") ? state : `${machine.homeDir}/.local/state`}/llmc-mcp`;
}

function misplaced(loaded: Loaded, roots: readonly string[], dataDir: string, csvPath: string): Problem[] {
  const swallowed = roots.filter((root) => isInside(root, dataDir))
    .map((root) =>
      loaded.fault("mcp.data_dir", `the root ${root} is inside the data directory ${dataDir}; move one of them`)
    );
  if (isInside(csvPath, dataDir)) return swallowed;
  return [
    ...swallowed,
    loaded.fault("mcp.observability.csv_path", `${csvPath} is outside the data directory ${dataDir}`),
  ];
}

/** Settings that name a file with a secret, and the files. */
function secretFiles({ auth, server }: Settings): (readonly [string, string])[] {
  const files = [["mcp.auth.token_file", auth.token_file], ["mcp.server.tls_key_file", server.tls_key_file]] as const;
  return files.filter(([, path]) => path !== "");
}

/** A link among the files of a root cannot be kept from a program that puts another one, of its own, in its place. */
function linkedSecrets(loaded: Loaded, roots: readonly string[], machine: Machine): Problem[] {
  return secretFiles(loaded.settings).flatMap(([key, path]) => {
    const entry = entryOf(path, machine);
    if (entry === plannedPath(path, machine) || !roots.some((root) => root !== "/" && isInside(entry, root))) return [];
    return loaded.fault(key, `${entry} is a link inside a root, which programs could replace; name the file itself`);
  });
}

/** The path without links on the way to its last part, which may be one. */
function entryOf(path: string, machine: Machine): string {
  const folder = plannedPath(parentOf(path), machine);
  return joinPath(folder, baseName(path));
}

/** The data directory, the operator's configuration and the secrets. */
function ownPaths({ settings, places }: Loaded, dataDir: string, machine: Machine): string[] {
  return [
    ...new Set([dataDir, ...withTargets([...places, ...secretFiles(settings).map(([, path]) => path)], machine)]),
  ];
}

/** Where a project's file may be. It can only narrow, so a program that writes one opens nothing. */
function projectPlaces({ projectPlace }: Loaded, machine: Machine): string[] {
  return projectPlace === null ? [] : withTargets([projectPlace], machine);
}

/** Both the entries and what they point to, because replacing a link is as bad as changing its target. */
function withTargets(files: readonly string[], machine: Machine): string[] {
  return [...files.map((path) => entryOf(path, machine)), ...files.map((path) => plannedPath(path, machine))];
}

function warningsOf(
  roots: readonly string[],
  unconfined: boolean,
  programs: FoundPrograms,
  { tools, linux_ops }: Settings,
): string[] {
  const warnings: string[] = [];
  if (unconfined) warnings.push("the roots are not enforced: tools and programs can access the whole machine");
  else if (roots.length === 0) warnings.push("no root is set, so file tools refuse every path; start with --root DIR");
  if (programs.unsafe.length > 0) {
    const names = programs.unsafe.join(", ");
    warnings.push(`${names}: allowed by a list, but refused as unsafe (mcp.linux_ops.commands.unsafe_binaries)`);
  }
  const named = new Set([...tools.run_cmd_allowlist, ...linux_ops.commands.allowed_binaries]);
  const absent = programs.missing.filter((name) => named.has(name));
  if (absent.length > 0) warnings.push(`${absent.join(", ")}: allowed, but not installed`);
  if (unconfined) return warnings;
  for (const [name, path] of Object.entries(programs.found)) {
    const root = roots.find((each) => isInside(path, each));
    if (root !== undefined) {
      const advice = tools.allowlist_scope === "tree" ? "so it cannot be started" : "keep it from being changed there";
      warnings.push(`${name} is ${path}, inside the root ${root}: ${advice}`);
    }
  }
  return warnings;
}
