/**
 * Measures the error of `estimateTokens` against real tokenizers by kind of text; with `--fit` also computes the best
 * weights.
 *
 *     deno run -A bench/tokens/estimator.ts [--fit]
 *
 * @module
 */
import { estimateTokens } from "../../src/core/tokens.ts";
import { fit } from "./fit.ts";
import { collectSamples, type Sample } from "./samples.ts";
import { loadClaude, loadO200k } from "./tokenizers.ts";

/** Results are of this size: shorter ones cost little, whatever the error. */
const PIECE_CHARACTERS = 3_000;
const SPEED_CHARACTERS = 20_000_000;

const exact = await loadO200k();
const claude = await loadClaude();

interface Row {
  readonly kind: string;
  readonly fitted: boolean;
  /** Mean over pieces of the absolute error. */
  readonly error: number;
  /** Signed error of the whole. */
  readonly bias: number;
  readonly claudeError: number;
  readonly quarterError: number;
}

function measure({ kind, text, fitted }: Sample): Row {
  const pieces = piecesOf(text).map((piece) => ({
    estimate: estimateTokens(piece),
    exact: exact(piece),
    claude: claude(piece),
    quarter: piece.length / 4,
  }));
  const mean = (errors: number[]) => errors.reduce((a, b) => a + b, 0) / errors.length;
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  return {
    kind,
    fitted,
    error: mean(pieces.map((piece) => Math.abs(piece.estimate / piece.exact - 1))),
    bias: sum(pieces.map((piece) => piece.estimate)) / sum(pieces.map((piece) => piece.exact)) - 1,
    claudeError: mean(pieces.map((piece) => Math.abs(piece.estimate / piece.claude - 1))),
    quarterError: mean(pieces.map((piece) => Math.abs(piece.quarter / piece.exact - 1))),
  };
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let i = 0; i + PIECE_CHARACTERS / 2 < text.length; i += PIECE_CHARACTERS) {
    pieces.push(text.slice(i, i + PIECE_CHARACTERS));
  }
  return pieces;
}

function speed(samples: readonly Sample[]): number {
  const text = samples.map((sample) => sample.text).join("\n");
  const rounds = Math.ceil(SPEED_CHARACTERS / text.length);
  estimateTokens(text);
  const start = performance.now();
  for (let i = 0; i < rounds; i++) estimateTokens(text);
  return text.length * rounds / 1e6 / ((performance.now() - start) / 1_000);
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

const percent = (value: number) => `${(value * 100).toFixed(1)} %`;

const samples = await collectSamples();
const rows = samples.map(measure);
say("| kind | error | bias | against a Claude vocabulary | characters / 4 |\n|---|---|---|---|---|");
for (const row of rows) {
  const cells = [
    row.kind + (row.fitted ? "" : " *"),
    percent(row.error),
    percent(row.bias),
    percent(row.claudeError),
    percent(row.quarterError),
  ];
  say(`| ${cells.join(" | ")} |`);
}
const mean = (values: number[]) => percent(values.reduce((a, b) => a + b, 0) / values.length);
const worst = rows.reduce((a, b) => b.error > a.error ? b : a);
say(
  `| **mean** | ${mean(rows.map((row) => row.error))} | | ${mean(rows.map((row) => row.claudeError))} | ${
    mean(rows.map((row) => row.quarterError))
  } |`,
);
say(
  `\nworst: ${worst.kind}, ${percent(worst.error)}; kinds with *: not fitted to; speed: ${
    speed(samples).toFixed(0)
  } MB/s`,
);
if (Deno.args.includes("--fit")) {
  say(fit(
    samples.filter((sample) => sample.fitted).flatMap((sample) => {
      const pieces = piecesOf(sample.text);
      return pieces.map((text) => ({ text, tokens: exact(text), weight: 1 / Math.sqrt(pieces.length) }));
    }),
  ));
}
