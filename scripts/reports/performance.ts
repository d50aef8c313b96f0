/** Format of bench/results/bench.json: rows of cells, one for each contestant, and other measurements. @module */

/** A row of samples in few numbers, all in the unit of the samples. */
export interface Summary {
  readonly median: number;
  readonly p95: number;
  readonly min: number;
  readonly samples: number;
}

/** What one contestant did in one row. */
export interface Cell extends Partial<Summary> {
  /** Calls that it took. */
  readonly calls?: number;
  /** The results on the wire, in tokens of o200k_base. */
  readonly tokens?: number;
  /** Of these, what is text for a model. */
  readonly textTokens?: number;
  /** A count, where the row is about one: edits kept, outputs lost. */
  readonly count?: number;
  /** Why there is no figure. */
  readonly fault?: string;
}

/** One thing that was measured. */
export interface Row {
  readonly key: string;
  readonly what: string;
  readonly unit: "ms" | "MB" | "tokens" | "count";
  /** By the key of the contestant; "floor" is what the machine needs without any server. */
  readonly cells: Readonly<Record<string, Cell>>;
  /** What the floor is. */
  readonly floor?: string;
}

/** A row of another benchmark, in its own words. */
export interface ForeignRow {
  readonly what: string;
  readonly figure: string;
  readonly target: string;
  readonly holds: boolean;
}

/** What a planted fault did to a server. */
export interface FaultRow {
  readonly key: string;
  readonly title: string;
  /** By contestant: "ok", "soft" or "BAD" with a note; absent where the server has no such tool. */
  readonly verdicts: Readonly<Record<string, { readonly verdict: "ok" | "soft" | "BAD"; readonly note: string }>>;
}

/** A machine without its name. */
export interface Machine {
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  /** Over one minute, before and after: above the number of cores something else was at work. */
  readonly load: readonly [number, number];
  /** Whether the servers went before other programs. */
  readonly priority: boolean;
}

/** Everything of a run. */
export interface Report {
  readonly at: string;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly contestants: readonly { readonly key: string; readonly title: string; readonly version: string }[];
  readonly missing: readonly string[];
  readonly rows: readonly Row[];
  readonly faults: readonly FaultRow[];
  readonly tokenTasks: readonly TokenTask[];
  /** Tables of other benchmarks by their name. */
  readonly others: Readonly<Record<string, ForeignTable>>;
}

/** What another benchmark found. */
export interface ForeignTable {
  /** The day, when that was not in the same run as the rows of the report. */
  readonly ownRun: string | null;
  readonly rows: readonly ForeignRow[];
}

/** A scripted task and what it cost each server in tokens: tool list, calls and results. */
export interface TokenTask {
  readonly task: string;
  readonly ours: { readonly calls: number; readonly tokens: number };
  readonly peer: { readonly calls: number; readonly tokens: number };
}
