/** Makes of a command's output what a model needs of it: ranked, grouped, bounded, and honest about the rest. @module */

/** A command that has ended, and what it printed. */
export interface EnrichInput {
  /** The program and its arguments; a shell command line is `["bash", "-c", line]`. */
  readonly argv: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** What text and stderr of the result may cost together, by `estimateTokens`. */
  readonly budgetTokens: number;
  /** Working directory of the command, to shorten absolute paths. */
  readonly cwd?: string;
}

/** Output made lean. */
export interface Enriched {
  /** Stands for stdout. Equal to it when nothing was to be gained. */
  readonly text: string;
  /** Stands for stderr, bounded as well. */
  readonly stderr: string;
  /** The enricher that made it, e.g. "grep", "tests", "diff". */
  readonly kind: string;
  /** Hits, entries, tests or diagnostics in the whole output, where the kind has such a count. */
  readonly matchCount?: number;
  /** What was left out, "" when nothing. Text says it as well. */
  readonly omitted: string;
  /** Whether anything was left out. */
  readonly truncated: boolean;
  /** The folder that holds most hits, e.g. "src/rag/ (73%)". */
  readonly hotZone?: string;
}

/**
 * Enriches the output of a known command.
 *
 * @returns null when the command is unknown: the caller then bounds head and tail with `boundPlain`.
 */
export function enrich(_input: EnrichInput): Enriched | null {
  return null;
}
