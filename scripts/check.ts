/** `deno task check`: runs every static check of the sources. @module */
import { findUnused, readSources } from "./dead_code.ts";
import { generateDocs } from "./docs.ts";
import { ENTRIES, exists, print, type Ran, ROOT, runDeno } from "./project.ts";
import { findStructureFaults } from "./structure.ts";
import { findTics } from "./tics.ts";
import { searchProject } from "./words.ts";

/** One thing that is checked. */
interface Step {
  readonly name: string;
  run(): Promise<Ran>;
}

const MODULES = ["main.ts", "src", "tests", "scripts", "bench", "lint"];

const STEPS: readonly Step[] = [
  { name: "format", run: () => runDeno(["fmt", "--check", "-q"]) },
  { name: "lint", run: () => runDeno(["lint", "-q"]) },
  { name: "types", run: async () => runDeno(["check", "-q", ...await present(MODULES)]) },
  {
    name: "lock file",
    run: async () => runDeno(["cache", "-q", "--frozen", ...await present(Object.values(ENTRIES))]),
  },
  { name: "generated documents", run: () => generateDocs(["--check"]) },
  { name: "unused code", run: async () => asRan(await findUnused()) },
  { name: "structure", run: async () => asRan(findStructureFaults(await readSources())) },
  { name: "language", run: async () => asRan(await findTics()) },
  { name: "stray words", run: async () => asRan(await searchProject()) },
];

async function present(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if (await exists(`${ROOT}/${path}`)) found.push(path);
  return found;
}

function asRan(findings: readonly string[]): Ran {
  return { ok: findings.length === 0, code: findings.length === 0 ? 0 : 1, output: findings.join("\n") };
}

/** Runs a step; an error in it is a failed step, so that the others are still reported. */
async function attempt({ name, run }: Step): Promise<{ name: string; ran: Ran; seconds: string }> {
  const started = performance.now();
  const ran = await run().catch((error: unknown): Ran => ({ ok: false, code: 1, output: String(error) }));
  return { name, ran, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

if (import.meta.main) {
  const results = await Promise.all(STEPS.map(attempt));
  for (const { name, ran } of results) {
    if (!ran.ok) print(`── ${name}\n${ran.output.trim()}\n`);
  }
  for (const { name, ran, seconds } of results) {
    print(`${ran.ok ? "ok    " : "FAILED"} ${name.padEnd(20)} ${seconds} s`);
  }
  Deno.exit(results.every(({ ran }) => ran.ok) ? 0 : 1);
}
