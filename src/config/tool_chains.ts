/** Finds the user's PATH, the homes of interpreters and tool chains in it, and the variables that programs get. @module */
import { isInside, isInsideAny, normalizePath, parentOf } from "../core/path.ts";
import { maskSecrets } from "../core/mask_secrets.ts";
import { isSecretName } from "../core/secret_names.ts";
import type { Machine } from "./machine.ts";
import type { Settings } from "./schema.ts";

/** What programs see of the user's machine besides the system and the roots. */
export interface ToolChains {
  /** Where programs are looked for, in this order: the PATH of every child. */
  readonly programFolders: readonly string[];
  /** Folders, and files of certificates, that programs may read and execute. */
  readonly toolFolders: readonly string[];
  /** Variables that programs get from the user's environment. */
  readonly userEnv: Readonly<Record<string, string>>;
}

const SYSTEM = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];
/** A PATH of these alone is what a desktop client starts a server with. */
const BARE = new Set([...SYSTEM, "/usr/games", "/usr/local/games", "/snap/bin"]);

/** Homes of interpreters and tool chains, below the home directory. None of them holds credentials. */
const HOMES = (
  ".nvm .fnm .local/share/fnm .volta .nodenv .n .npm-global .local/share/pnpm .yarn/bin .deno/bin .bun/bin .pyenv .rbenv .rvm " +
  ".asdf .local/share/mise .local/share/rtx .rustup .cargo/bin go/bin sdk .goenv .sdkman .jenv .jabba .local/bin .local/lib " +
  ".local/share/pipx .local/pipx .local/share/uv .local/share/pypoetry .poetry/bin miniconda3 anaconda3 miniforge3 mambaforge " +
  "micromamba .conda/envs .linuxbrew .dotnet .ghcup .juliaup .local/share/coursier"
).split(" ");
/** The same for the whole machine. */
const SHARED = ["/opt", "/home/linuxbrew/.linuxbrew", "/nix/store"];
/** Variables that name a home, and where that is when nothing is said: tools look for it below HOME, which is another one. */
const HOME_VARIABLES: Readonly<Record<string, string>> = {
  NVM_DIR: ".nvm",
  FNM_DIR: ".local/share/fnm",
  VOLTA_HOME: ".volta",
  PYENV_ROOT: ".pyenv",
  RBENV_ROOT: ".rbenv",
  ASDF_DIR: ".asdf",
  ASDF_DATA_DIR: ".asdf",
  MISE_DATA_DIR: ".local/share/mise",
  RUSTUP_HOME: ".rustup",
  SDKMAN_DIR: ".sdkman",
  UV_PYTHON_INSTALL_DIR: ".local/share/uv/python",
  UV_TOOL_DIR: ".local/share/uv/tools",
  PIPX_HOME: ".local/share/pipx",
  CONDA_PREFIX: "",
  JAVA_HOME: "",
  GOROOT: "",
  VIRTUAL_ENV: "",
};
/** Folders that their tools write to: outside the roots they would only fail there. */
const WRITTEN = new Set(["CARGO_HOME", "GOPATH", "GOMODCACHE", "GOCACHE", "GRADLE_USER_HOME", "npm_config_cache"]);
const CERTIFICATES = ["SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"];

/** Looks at the machine. */
export function findToolChains(
  { tools }: Pick<Settings, "tools">,
  { roots, dataDir }: { readonly roots: readonly string[]; readonly dataDir: string },
  machine: Machine,
): ToolChains {
  const { homeDir } = machine;
  const folders = pathFolders(tools.shell_env, machine);
  // Shims are scripts that start many programs: where the kernel holds the list for all of them, the system's come first.
  const ordered = tools.allowlist_scope === "tree" ? [...SYSTEM, ...folders] : [...folders, ...SYSTEM];
  const programFolders = unique(ordered).filter((folder) => machine.isDirectory(folder));
  if (tools.shell_env === "fixed") return { programFolders, toolFolders: [], userEnv: passed(tools, roots, machine) };

  const userEnv: Record<string, string> = { ...passed(tools, roots, machine) };
  for (const [name, home] of Object.entries(HOME_VARIABLES)) {
    const usual = `${homeDir}/${home}`;
    if (home !== "" && machine.env[name] === undefined && machine.isDirectory(usual)) userEnv[name] = usual;
  }
  // A home directory, what holds one, and what holds the server's own files never become visible as a whole.
  const isPrivate = (path: string): boolean =>
    path === "/" || isInside(homeDir, path) || isInside(dataDir, path) || isInside(path, dataDir);
  const named = [...Object.keys(HOME_VARIABLES), ...CERTIFICATES].flatMap((name) => userEnv[name] ?? []);
  const candidates = [
    ...SHARED,
    ...homeDir === "/" ? [] : HOMES.map((home) => `${homeDir}/${home}`),
    ...named.filter((path) => path.startsWith("/")).map((path) => normalizePath(path)),
    ...programFolders.map((folder) => prefixOf(folder, machine)),
    ...programFolders,
  ];
  const visible = candidates.flatMap((path) => {
    const real = machine.realPath(path);
    return real === undefined ? [] : [path, real];
  }).filter((path) => !isPrivate(path) && !isInsideAny(path, ["/usr", "/bin", "/sbin", "/lib", "/lib64", ...roots]));
  const toolFolders = unique(visible).filter((path, _, all) =>
    !all.some((other) => other !== path && isInside(path, other))
  );
  return { programFolders, toolFolders, userEnv };
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)];

/** The PATH that the server was started with, or a login shell's where that is bare. */
function pathFolders(mode: Settings["tools"]["shell_env"], machine: Machine): string[] {
  if (mode === "fixed") return [];
  const own = (machine.env.PATH ?? "").split(":");
  const isBare = own.every((folder) => folder === "" || BARE.has(folder));
  const folders = mode === "login" && isBare ? (machine.loginPath() ?? machine.env.PATH ?? "").split(":") : own;
  // A relative folder would be one of whatever directory a program runs in.
  return folders.filter((folder) => folder.startsWith("/")).map((folder) => normalizePath(folder));
}

/**
 * The folder that holds a `bin` together with its libraries, or `shims` together with the versions that they start; else
 * the folder itself. What is directly below the home
 * directory may hold more than a tool chain: `~/.cargo` has credentials beside its programs.
 */
function prefixOf(folder: string, machine: Machine): string {
  const prefix = parentOf(folder);
  if (parentOf(prefix) === machine.homeDir) return folder;
  const beside = /\/s?bin$/.test(folder) ? ["lib"] : folder.endsWith("/shims") ? ["versions", "installs"] : [];
  return beside.some((name) => machine.isDirectory(`${prefix}/${name}`)) ? prefix : folder;
}

/** Variables that pass by name, unless name or value look like a secret. */
function passed(
  { pass_env: names }: Settings["tools"],
  roots: readonly string[],
  { env }: Machine,
): Record<string, string> {
  const exact = new Set(names.filter((name) => !name.endsWith("*")));
  const prefixes = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  const chosen = Object.entries(env).filter(([name, value]) =>
    (exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) && !isSecretName(name) &&
    maskSecrets(`${name}=${value}`) === `${name}=${value}` && (!WRITTEN.has(name) || isInsideAny(value, roots))
  );
  const variables = Object.fromEntries(chosen);
  // Messages stay English, which is what the condensers read; the rest of the locale is the user's.
  const { LC_ALL, ...others } = variables;
  return LC_ALL === undefined ? others : { ...others, LANG: LC_ALL };
}
