/** Generates docs/security-proof.md from the figures of a run. @module */
import type { Component } from "../release/embedded.ts";

/** What came of the search. */
export interface LogSearch {
  readonly logs: number;
  readonly tokens: number;
  /** One line for each log that holds a token of any server. */
  readonly leaks: readonly string[];
}

/** What came of it. The last list must be empty. */
export interface HttpFuzzResult {
  readonly requests: number;
  readonly rawConnections: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Statuses of 500, crashes, hangs, statuses that the description does not have. */
  readonly faults: readonly string[];
}

/** What came of it. */
export interface PackageAudit {
  readonly packages: readonly Component[];
  /** Advisories for exactly these versions, by the registry; null when it could not be asked. */
  readonly advisories: readonly string[] | null;
}

/** What came of it. All lists must be empty. */
export interface PathFuzzResult {
  readonly paths: number;
  /** Answers with the text of a file in the root. */
  readonly read: number;
  readonly refused: number;
  /** Answers that hold text or names from outside, and files that came or changed there. */
  readonly escapes: readonly string[];
  /** Refusals of what lies in the root, and other files than the one that the kernel opens. */
  readonly wrong: readonly string[];
  /** Answers with an error that is no refusal, and calls without an answer. */
  readonly broken: readonly string[];
}

/** What came of one race. Everything but the first three must be zero. */
export interface RaceResult {
  readonly operation: string;
  readonly tries: number;
  /** Calls that worked, on whichever side. */
  readonly worked: number;
  /** Exchanges meanwhile. */
  readonly swaps: number;
  /** Answers that hold text or names of the outside. */
  readonly told: number;
  /** Answers that hold the size or the time of an outside file. */
  readonly betrayed: number;
  /** Files and folders opened outside, as the kernel reports it. */
  readonly opened: number;
  /** Entries outside that came, went or changed. */
  readonly changed: number;
  /** The first few of what went wrong. */
  readonly examples: readonly string[];
}

/** The races of one server. */
export interface Races {
  readonly title: string;
  readonly results: readonly RaceResult[];
}

/** What came of it. The last list must be empty. */
export interface RpcFuzzResult {
  readonly frames: number;
  readonly calls: number;
  /** Calls that worked, so that the arguments were not all nonsense. */
  readonly worked: number;
  /** Names of the tools that were called. */
  readonly tools: readonly string[];
  /** Crashes, hangs, internal errors, and output that is no message. */
  readonly faults: readonly string[];
}

/** What came of it. The list must be empty. */
export interface StallResult {
  readonly calls: number;
  /** Answers that the other client got. */
  readonly asked: number;
  /** The longest that it had to wait, in milliseconds without the time in which a thread waited for a processor. */
  readonly worstMs: number;
  /** The call that made it wait. */
  readonly worst: string;
  readonly faults: readonly string[];
}

/** Nanoseconds of one comparison, by how the given text differs from the secret. */
export interface TokenTiming {
  readonly undisturbedNs: Readonly<Record<string, number>>;
  /** Between the slowest and the fastest way, in percent of the fastest. */
  readonly spreadPercent: number;
  /** The same for `===`-like comparison character by character, which shows that the measurement can tell. */
  readonly naiveSpreadPercent: number;
}

/** Everything that was found. */
export interface Figures {
  /** Command lines that are tried at each level. */
  readonly attacks: number;
  /** Length of one race. */
  readonly seconds: number;
  /** Length of the run. */
  readonly minutes: number;
  readonly races: { readonly ours: readonly Races[]; readonly control: Races; readonly peers: readonly Races[] };
  readonly fuzz: { readonly paths: PathFuzzResult; readonly rpc: RpcFuzzResult; readonly http: HttpFuzzResult };
  readonly tests: { readonly passed: number; readonly ok: boolean };
  readonly timing: TokenTiming;
  readonly packages: PackageAudit;
  readonly logs: LogSearch;
  /** Absent in the results of older runs. */
  readonly stalls?: StallResult;
}

/** The document. */
export function proofDocument(
  { attacks, seconds, minutes, races, fuzz, tests, timing, packages, logs, stalls }: Figures,
): string {
  const { ours, control, peers } = races;
  const { paths, rpc, http } = fuzz;
  const [main] = ours;
  return `# Security, measured

Written by \`make security\`, which took ${minutes} minutes. It fails when any figure of llmc-mcp that has to be zero is not.

## Races

A second process swaps a folder of the root for a link to the outside and back, thousands of times a second, at paces from
none to a millisecond, while tools are called under the folder's name, eight calls at a time, ${seconds} s for each row. What
happened is read from the disk and the kernel, not from the answers alone:

- **told**: answers with text or names from outside
- **betrayed**: answers with the size or the time of an outside file
- **opened**: files and folders opened outside, as inotify counts them
- **changed**: entries outside that came, went, or have other contents, modes, owners or times

${comparison(main, peers)}

${ours.map(table).join("\n\n")}

Where the kernel does not hold, the same races are lost, so they prove something:

${table(control)}

${peers.map(table).join("\n\n")}

## Generated input

| what | how much | came out |
|---|---|---|
| paths: odd names, dots, links, encodings, lengths, NUL, /proc | ${
    count(paths.paths)
  } | ${paths.escapes.length} escapes, ${paths.wrong.length} answers other than the file that the kernel opens, ${paths.broken.length} failures; ${
    count(paths.read)
  } read, ${count(paths.refused)} refused |
| messages over stdio: broken JSON, bytes, depth, prototype names, ids, methods | ${
    count(rpc.frames)
  } | ${rpc.faults.length} faults |
| arguments: every tool (${rpc.tools.length}), every type in every place | ${
    count(rpc.calls)
  } calls | ${rpc.faults.length} faults; ${count(rpc.worked)} calls worked |
| HTTP requests from the server's own description | ${count(http.requests)} | ${http.faults.length} faults; ${
    statusText(http.statuses)
  } |
| HTTP connections with bytes that are hardly HTTP | ${count(http.rawConnections)} | the same |

A fault is a crash, a hang, an answer with 500 or INTERNAL, a status that the description does not have, or anything on
standard output that is no message.

${stalls === undefined ? "" : stallSection(stalls)}## Tests

Each of ${attacks} command lines that would leave the roots is tried at each of the levels full, landlock, bwrap and none.
${tests.passed} tests of attacks ${
    tests.ok ? "passed" : "ran, some FAILED"
  }: words that make programs leave the roots at every level, links, the server's own
files, planted secrets in logs and records, permissions, resource limits.

## Logs

Everything that ${logs.logs} servers and commands of this run wrote was searched for their ${logs.tokens} tokens: ${logs.leaks.length} logs
hold one. \`make test\` does the same with the logs of all its tests.

## Token

One comparison takes ${
    Object.values(timing.undisturbedNs).map((ns) => `${Math.round(ns)}`).sort().join(", ")
  } ns, whatever is
wrong about the given text (${Object.keys(timing.undisturbedNs).join(", ")}): ${
    timing.spreadPercent.toFixed(1)
  } % apart.
Character by character it would be ${Math.round(timing.naiveSpreadPercent)} %.

## Packages in the executable

${
    packages.advisories === null
      ? "The registry could not be asked for advisories in this run."
      : packages.advisories.length === 0
      ? "The registry knows of no advisory for these versions."
      : `Advisories: ${packages.advisories.join(", ")}`
  }

| package | version | licence |
|---|---|---|
${packages.packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`).join("\n")}
`;
}

function stallSection({ calls, asked, worstMs, worst, faults }: StallResult): string {
  return `## Worst inputs

${
    count(calls)
  } calls with what costs each tool most: globs, patterns, command lines, diffs, edits, huge and hostile files and
output. Another client sent \`ping\` and \`GET /health\` all the time: ${
    count(asked)
  } answers, the slowest after ${worstMs} ms
(${worst}), without the time that threads waited for a processor. ${faults.length} faults: an answer after more than 250 ms,
INTERNAL, or a server that goes on computing when the client of the call has left.

`;
}

/** At least so many: one call may be counted in several ways. */
export function escapes({ told, betrayed, opened, changed }: RaceResult): number {
  return Math.max(told, betrayed, changed) || opened;
}

/** Side by side, what every server can do. */
function comparison(main: Races | undefined, peers: readonly Races[]): string {
  if (main === undefined || peers.length === 0) return "";
  const find = ({ results }: Races, operation: string) => results.find((result) => result.operation === operation);
  const shared = main.results.filter(({ operation }) => peers.some((peer) => find(peer, operation) !== undefined));
  const cell = (result: RaceResult | undefined) =>
    result === undefined ? "–" : `${count(escapes(result))} / ${count(result.tries)}`;
  const rows = shared.map(({ operation }) =>
    `| ${operation} | ${[main, ...peers].map((races) => cell(find(races, operation))).join(" | ")} |`
  );
  return `| escapes / tries | ${[main, ...peers].map(({ title }) => title).join(" | ")} |
|---|${"---:|".repeat(peers.length + 1)}
${rows.join("\n")}`;
}

function table({ title, results }: Races): string {
  const rows = results.map((result) => {
    const { operation, tries, worked, swaps, told, betrayed, opened, changed } = result;
    return `| ${[operation, ...[tries, worked, swaps, told, betrayed, opened, changed].map(count)].join(" | ")} |`;
  });
  return `### ${title}

| operation | tries | worked | swaps | told | betrayed | opened | changed |
|---|---:|---:|---:|---:|---:|---:|---:|
${rows.join("\n")}`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

function statusText(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses).map(([status, times]) => `${status}: ${count(times)}`).join(", ");
}
