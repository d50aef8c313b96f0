/** Classifies a path: its language, and whether it is code, prose or data. @module */
import { baseName } from "../core/path.ts";
import type { GrammarName } from "../sys/grammar.ts";

/** Code answers "where is", prose answers "how do I"; data is configuration and the like, and counts as code. */
export type FileKind = "code" | "docs" | "data";

/** What a path tells. */
export interface Language {
  readonly name: string;
  readonly kind: FileKind;
  /** Null when definitions cannot be read from it. */
  readonly grammar: GrammarName | null;
}

const GRAMMAR_ENDINGS: Readonly<Record<GrammarName, string>> = {
  typescript: "ts mts cts",
  tsx: "tsx",
  javascript: "js mjs cjs jsx",
  python: "py pyi pyw",
  go: "go",
  rust: "rs",
  java: "java",
  c: "c",
  cpp: "cc cpp cxx c++ hpp hh hxx h++ ipp tpp h cu cuh ino",
  csharp: "cs csx",
  ruby: "rb rake gemspec ru",
  php: "php phtml inc",
  bash: "sh bash bats zsh ksh",
};
const PLAIN_CODE =
  "kt kts scala swift dart lua pl pm r jl ex exs erl hrl hs ml mli fs fsx clj cljs cljc el lisp scm zig nim " +
  "v sv vhd vhdl m mm groovy gradle sql proto graphql gql vue svelte astro css scss sass less html htm xhtml asm s ps1 psm1 " +
  "bat cmd fish awk sed tcl f f90 f95 pas d cr sol tf hcl cmake mk nix bzl";
const PROSE = "md markdown mdx rst adoc asciidoc txt org tex pod";
const DATA = "json jsonc json5 yaml yml toml ini cfg conf properties xml plist env csv tsv";

const NAMED: Readonly<Record<string, Language>> = {
  makefile: { name: "make", kind: "code", grammar: null },
  dockerfile: { name: "docker", kind: "code", grammar: null },
  containerfile: { name: "docker", kind: "code", grammar: null },
  jenkinsfile: { name: "groovy", kind: "code", grammar: null },
  "cmakelists.txt": { name: "cmake", kind: "code", grammar: null },
  rakefile: { name: "ruby", kind: "code", grammar: "ruby" },
  gemfile: { name: "ruby", kind: "code", grammar: "ruby" },
  readme: { name: "text", kind: "docs", grammar: null },
  changelog: { name: "text", kind: "docs", grammar: null },
  contributing: { name: "text", kind: "docs", grammar: null },
  todo: { name: "text", kind: "docs", grammar: null },
};

function byEnding(): ReadonlyMap<string, Language> {
  const found = new Map<string, Language>();
  const put = (endings: string, language: (ending: string) => Language) => {
    for (const ending of endings.split(" ")) found.set(ending, language(ending));
  };
  put(DATA, (name) => ({ name, kind: "data", grammar: null }));
  put(PLAIN_CODE, (name) => ({ name, kind: "code", grammar: null }));
  put(
    PROSE,
    (ending) => ({ name: /^(?:md|markdown|mdx)$/.test(ending) ? "markdown" : "text", kind: "docs", grammar: null }),
  );
  for (const [grammar, endings] of Object.entries(GRAMMAR_ENDINGS) as [GrammarName, string][]) {
    put(endings, () => ({ name: grammar, kind: "code", grammar }));
  }
  return found;
}

const BY_ENDING = byEnding();

/** What a path tells of its file; undefined when it is none that a search would look into. */
export function languageOf(path: string): Language | undefined {
  const name = baseName(path).toLowerCase();
  const named = NAMED[name] ??
    (/^(?:docker|container|make)file\./.test(name) ? NAMED[name.split(".")[0] ?? ""] : undefined);
  if (named !== undefined) return named;
  const dot = name.lastIndexOf(".");
  return dot < 0 ? undefined : BY_ENDING.get(name.slice(dot + 1));
}

const SHEBANG = /^#!\s*\S*?(?:\/env\s+(?:-\S+\s+)*)?(\w+)[\d.]*(?:\s|$)/;
const BY_INTERPRETER: Readonly<Record<string, GrammarName>> = {
  bash: "bash",
  sh: "bash",
  dash: "bash",
  zsh: "bash",
  python: "python",
  node: "javascript",
  deno: "typescript",
  ruby: "ruby",
  php: "php",
};

/** The language of a script that its first line tells, for files without an ending. */
export function languageOfScript(text: string): Language | undefined {
  const path = /^#!.*/.exec(text.slice(0, 120))?.[0] ?? "";
  const word = SHEBANG.exec(path.replace(/^#!\s*\S*\/(?!env\b)(?=\w+)/, "#! "))?.[1]?.replace(/\d+$/, "") ?? "";
  const grammar = BY_INTERPRETER[word];
  return grammar === undefined ? undefined : { name: grammar, kind: "code", grammar };
}
