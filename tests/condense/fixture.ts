/** Real outputs of real programs, captured once. @module */
import type { EnrichInput } from "../../src/condense/enrich.ts";

const FOLDER = new URL("./fixtures/", import.meta.url);

interface Entry {
  readonly command: string;
  readonly exit_code: number;
}

const index: Record<string, Entry> = JSON.parse(Deno.readTextFileSync(new URL("index.json", FOLDER)));

/** Names of all fixtures. */
export const FIXTURES: readonly string[] = Object.keys(index);

/** One fixture as the input of `enrich`. */
export function fixture(name: string, budgetTokens = 8_000): EnrichInput {
  const entry = index[name];
  if (entry === undefined) throw new Error(`no fixture ${name}`);
  return {
    argv: ["bash", "-c", entry.command],
    stdout: read(`${name}.out`),
    stderr: read(`${name}.err`),
    exitCode: entry.exit_code,
    budgetTokens,
  };
}

function read(name: string): string {
  try {
    return Deno.readTextFileSync(new URL(name, FOLDER));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
