/** Maps file name extensions to languages. @module */

/** Language and its endings. */
const LANGUAGES: Readonly<Record<string, string>> = {
  TypeScript: "ts tsx mts cts",
  JavaScript: "js jsx mjs cjs",
  Python: "py pyi",
  Rust: "rs",
  Go: "go",
  Java: "java",
  Kotlin: "kt kts",
  Scala: "scala",
  "C#": "cs",
  C: "c h",
  "C++": "cc cpp cxx hpp hh hxx",
  Ruby: "rb",
  PHP: "php",
  Swift: "swift",
  Dart: "dart",
  Elixir: "ex exs",
  Haskell: "hs",
  Lua: "lua",
  Perl: "pl pm",
  R: "r",
  Shell: "sh bash zsh",
  SQL: "sql",
  HTML: "html htm",
  CSS: "css scss sass less",
  Vue: "vue",
  Svelte: "svelte",
  Zig: "zig",
  Nix: "nix",
  Terraform: "tf",
  Markdown: "md mdx rst",
  "JSON/YAML/TOML": "json yaml yml toml",
};

const LANGUAGE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LANGUAGES).flatMap(([name, endings]) => endings.split(" ").map((ending) => [ending, name] as const)),
);

/** Languages with their numbers of files, the most frequent first; prose and data come after code. */
export function countLanguages(paths: readonly string[]): [language: string, files: number][] {
  const names = paths.flatMap((path) => LANGUAGE_OF.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase()) ?? []);
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]): [string, number] => [name, all.length]);
  return counts.sort(([a, few], [b, many]) => Number(isProse(a)) - Number(isProse(b)) || many - few);
}

/** Whether it is written for people or machines, and not run. */
export function isProse(language: string): boolean {
  return language === "Markdown" || language === "JSON/YAML/TOML";
}
