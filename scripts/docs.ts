/** Generates every document that comes from the code; with --check only reports outdated ones. @module */
import { exists, print, type Ran, ROOT, runDeno } from "./project.ts";

/** Each generator writes its documents, or fails with --check when what it would write differs. */
const GENERATORS = [
  "scripts/generate_config_docs.ts",
  "scripts/generate_secret_formats.ts",
  "scripts/generate_tool_docs.ts",
  "scripts/generate_performance_docs.ts",
  "scripts/generate_proof_docs.ts",
];

/** Runs the generators that exist; the first failure ends the run and is returned. */
export async function generateDocs(args: readonly string[]): Promise<Ran> {
  let output = "";
  for (const script of GENERATORS) {
    if (!await exists(`${ROOT}/${script}`)) continue;
    const ran = await runDeno(["run", "-A", "--no-check", script, ...args]);
    output += ran.output;
    if (!ran.ok) return { ...ran, output };
  }
  return { ok: true, code: 0, output };
}

if (import.meta.main) {
  const { code, output } = await generateDocs(Deno.args);
  print(output.trimEnd());
  Deno.exit(code);
}
