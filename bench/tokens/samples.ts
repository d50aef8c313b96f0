/**
 * Texts of every kind that tools show to a model, taken from this machine, this repository and published packages.
 * @module
 */

/** One kind of text. */
export interface Sample {
  readonly kind: string;
  readonly text: string;
  /** Whether the estimator's table was fitted to it; the others test it. */
  readonly fitted: boolean;
}

const MAX_CHARACTERS = 60_000;
const ROOT = new URL("../../", import.meta.url);
const FIXTURES = new URL("tests/condense/fixtures/", ROOT);
const MESSAGES = "npm:typescript@5.9.3/lib";

/** Collects all samples that this machine has; a missing program leaves its kind out. */
export async function collectSamples(): Promise<Sample[]> {
  const samples: Sample[] = [];
  const add = (kind: string, fitted: boolean, text: string) => {
    if (text.length > 1_000) samples.push({ kind, fitted, text: text.slice(0, MAX_CHARACTERS) });
  };
  add("code, TypeScript", true, await filesIn(new URL("src/call/", ROOT), /\.ts$/));
  add("code, Python", true, await output(["python3", "-c", PYTHON_SOURCES]));
  add("code, C", true, await filesIn(new URL("file:///usr/include/"), /\.h$/));
  add(
    "code, shell",
    false,
    await filesIn(new URL("file:///usr/bin/"), /^(?:bzgrep|zgrep|gzexe|ldd|which|catman|lesspipe|xzgrep|bashbug)$/),
  );
  add("prose, English", true, await read(new URL("file:///usr/share/common-licenses/GPL-3")));
  add("prose, Markdown", false, await filesIn(new URL("docs/", ROOT), /\.md$/));
  add("listing, ls -l", true, await output(["ls", "-la", "/usr/bin"]));
  add("listing, ls -lR", false, await output(["ls", "-lR", "/etc"]));
  add("listing, find", true, await output(["find", "/usr/lib", "-maxdepth", "3", "-name", "*.so*"]));
  add("table, ps aux", true, await read(new URL("ps_aux.out", FIXTURES)));
  add("table, ps -ef", false, await read(new URL("ps_ef.out", FIXTURES)));
  add(
    "table, df and /proc",
    true,
    await output(["sh", "-c", "df; free; cat /proc/meminfo /proc/net/dev /proc/diskstats"]),
  );
  add("log, application", true, await read(new URL("log_worker.out", FIXTURES)));
  add("log, web server", false, await read(new URL("log_web.out", FIXTURES)));
  add("JSON, pretty", true, await read(new URL("json_lock.out", FIXTURES)));
  add("JSON, minified", false, await read(new URL("json_min.out", FIXTURES)));
  add("diff", true, await read(new URL("git_diff.out", FIXTURES)));
  add("search hits", true, await read(new URL("rg_word.out", FIXTURES)));
  add("test report", false, await read(new URL("pytest_v.out", FIXTURES)));
  add("compiler output", false, await read(new URL("gcc.err", FIXTURES)));
  add("checksums", true, await output(["sh", "-c", "sha256sum /usr/bin/* 2>/dev/null | head -150"]));
  for (const [kind, language, fitted] of LANGUAGES) add(kind, fitted, await messages(language));
  return samples;
}

const LANGUAGES: readonly [kind: string, language: string, fitted: boolean][] = [
  ["German", "de", true],
  ["French", "fr", false],
  ["Polish", "pl", true],
  ["Russian", "ru", true],
  ["Chinese", "zh-cn", true],
  ["Chinese, traditional", "zh-tw", false],
  ["Japanese", "ja", true],
  ["Korean", "ko", true],
];

/** Modules of the standard library. */
const PYTHON_SOURCES = "import argparse, json.decoder, textwrap, queue, shutil\n" +
  "for m in (argparse, json.decoder, textwrap, queue, shutil): print(open(m.__file__).read()[:12000])";

async function messages(language: string): Promise<string> {
  const module: { default: Record<string, string> } = await import(
    `${MESSAGES}/${language}/diagnosticMessages.generated.json`,
    { with: { type: "json" } }
  );
  return Object.values(module.default).filter((_, i) => i % 4 === 0).join("\n");
}

async function read(url: URL): Promise<string> {
  return await Deno.readTextFile(url).catch(() => "");
}

async function filesIn(folder: URL, names: RegExp): Promise<string> {
  const found: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) if (entry.isFile && names.test(entry.name)) found.push(entry.name);
  } catch {
    return ""; // no such folder on this machine
  }
  const texts = await Promise.all(found.sort().slice(0, 24).map((name) => read(new URL(name, folder))));
  return texts.map((text) => text.slice(0, 8_000)).join("\n");
}

async function output([program = "", ...args]: readonly string[]): Promise<string> {
  try {
    const { stdout } = await new Deno.Command(program, { args, stderr: "null" }).output();
    return new TextDecoder().decode(stdout);
  } catch {
    return ""; // not on this machine
  }
}
