/** Extracts runnable commands from a repository's build files. @module */

/** How the commands of a build file are found. */
interface BuildFile {
  readonly name: string;
  /** Names of commands in its text. */
  commands(text: string): string[];
  /** What runs one of them. */
  readonly runner: string;
}

const none = (): string[] => [];

/** In the order in which they are worth reading. */
export const BUILD_FILES: readonly BuildFile[] = [
  { name: "Makefile", runner: "make", commands: makeTargets },
  { name: "justfile", runner: "just", commands: makeTargets },
  { name: "package.json", runner: "npm run", commands: (text) => keysOf(text, "scripts") },
  { name: "deno.json", runner: "deno task", commands: (text) => keysOf(text, "tasks") },
  { name: "deno.jsonc", runner: "deno task", commands: (text) => keysOf(text, "tasks") },
  { name: "pyproject.toml", runner: "", commands: none },
  { name: "setup.py", runner: "", commands: none },
  { name: "requirements.txt", runner: "", commands: none },
  { name: "Cargo.toml", runner: "cargo", commands: () => ["build", "test"] },
  { name: "go.mod", runner: "go", commands: () => ["build ./...", "test ./..."] },
  { name: "pom.xml", runner: "mvn", commands: () => ["package", "test"] },
  { name: "build.gradle", runner: "gradle", commands: () => ["build", "test"] },
  { name: "build.gradle.kts", runner: "gradle", commands: () => ["build", "test"] },
  { name: "CMakeLists.txt", runner: "", commands: none },
  { name: "Gemfile", runner: "", commands: none },
  { name: "composer.json", runner: "composer", commands: (text) => keysOf(text, "scripts") },
  { name: "Dockerfile", runner: "", commands: none },
  { name: "flake.nix", runner: "", commands: none },
];

/** Rules with plain names, in their order; special and pattern rules are none that people call. */
function makeTargets(text: string): string[] {
  const names = [...text.matchAll(/^([A-Za-z0-9][\w./-]*)(?:[ \t]+[\w./-]+)*[ \t]*:(?![=:])/gm)].map(([, name = ""]) =>
    name
  );
  return [...new Set(names)].filter((name) => !name.includes("/") && !/\.\w+$/.test(name));
}

/** Keys of an object in a JSON file; none when the file cannot be read as such. */
function keysOf(text: string, field: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !(field in value)) return [];
    const table: unknown = Reflect.get(value, field);
    return typeof table === "object" && table !== null ? Object.keys(table) : [];
  } catch {
    return []; // with comments, or broken
  }
}
