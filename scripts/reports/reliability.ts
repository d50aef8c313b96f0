/** Generates docs/reliability-proof.md from the results of a run. @module */

/** What came of it. */
export interface Outcome {
  /** Shown as they are. */
  readonly figures: Readonly<Record<string, string | number>>;
  /** Broken promises; empty when all is well. */
  readonly faults: readonly string[];
  /** Why it could not be tried here. */
  readonly skipped?: string;
}

/** What came of a run. */
export interface SoakReport {
  /** Length of the run. */
  readonly seconds: number;
  /** By the name of the scenario, in the order of the run. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

/** The document. */
export function reliabilityDocument({ seconds, outcomes }: SoakReport): string {
  const rows = Object.entries(outcomes).map(([name, { figures, faults, skipped }]) => {
    const shown = Object.entries(figures).map(([key, value]) => `${key}: ${value}`).join("; ");
    return `| ${name} | ${skipped ?? (faults.length === 0 ? "held" : `${faults.length} FAULTS`)} | ${shown} |`;
  });
  return `# Reliability, measured

Written by \`make soak\`, ${seconds} s in all, on the executable. Throughout: no change that was acknowledged may get lost or
torn, no program may outlive its server, no session may read or end what is another's, every database must open and pass
SQLite's check, memory and descriptors must not grow, no answer may be an internal error, none may be missing.

| trouble | result | figures |
|---|---|---|
${rows.join("\n")}

Memory and descriptors of the first row are those of the server at rest after each quarter of the load.
`;
}
