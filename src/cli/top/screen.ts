/** Renders one screen of `llmc-mcp top`, most important rows first. @module */
import { humanSize } from "../../core/bytes.ts";
import { humanDuration } from "../../core/time.ts";
import type { UiState } from "../../server/ui/state.ts";
import { clockText, countText, durationText, percentText, plural } from "../../server/ui/wording.ts";
import { columns, fit } from "./fit.ts";

/** What is drawn. */
export interface Scene {
  readonly url: string;
  /** Null before the first one came. */
  readonly state: UiState | null;
  /** Why the state is old; empty while it is not. */
  readonly trouble: string;
  readonly nowMs: number;
}

/** How much room there is, and whether it has colours. */
export interface Room {
  readonly width: number;
  readonly height: number;
  readonly colour: boolean;
}

type Paint = (code: number, text: string) => string;

const BOLD = 1, DIM = 2, RED = 31, GREEN = 32, YELLOW = 33, CYAN = 36;
const LEVEL_COLOUR = { full: GREEN, landlock: YELLOW, bwrap: YELLOW, none: RED } as const;
const MOST_TOOLS = 8, MOST_PROCESSES = 6;
/** From here on the codes of errors are written out. */
const WIDE = 100;
/** Rows that the list of calls keeps however much else there is. */
const LEAST_CALLS = 5;

/** The lines, exactly as many as the screen has, each as wide as it at most. */
export function drawScreen(scene: Scene, { width, height, colour }: Room): string[] {
  const paint: Paint = (code, text) => colour ? `\x1b[${code}m${text}\x1b[0m` : text;
  const lines = [header(scene, width, paint)];
  const { state, trouble } = scene;
  if (trouble !== "") lines.push(paint(RED, fit(`${trouble}; trying again`, width)));
  if (state) {
    lines.push(summary(state, width, paint));
    if (state.pending > 0) {
      const text = `${plural(state.pending, "call waits", "calls wait")} for your consent at ${scene.url}/ui`;
      lines.push(paint(YELLOW, fit(text, width)));
    }
    const free = height - lines.length - LEAST_CALLS - 2;
    lines.push(
      ...block("TOOLS, last hour", toolLines(state, width), Math.min(MOST_TOOLS, Math.floor(free / 2)), width, paint),
    );
    const left = height - lines.length - LEAST_CALLS - 2;
    lines.push(
      ...block(
        "PROCESSES",
        processLines(state, width, scene.nowMs, paint),
        Math.min(MOST_PROCESSES, left),
        width,
        paint,
      ),
    );
    lines.push(...block("CALLS", callLines(state, width, paint), height - lines.length, width, paint));
  }
  return [...lines, ...Array.from({ length: height }, () => "")].slice(0, height);
}

function header({ url, state }: Scene, width: number, paint: Paint): string {
  const right = "  q quits";
  if (!state) return paint(BOLD, fit(`llmc-mcp top  ${url}`, width - right.length)) + paint(DIM, right);
  const { version, sandbox: { level, unconfined }, uptime_s } = state;
  const name = `llmc-mcp ${version}`, sandbox = unconfined ? "unconfined" : `sandbox: ${level}`;
  const rest = `up ${humanDuration(uptime_s)}  ${url}`;
  const room = width - columns(name) - columns(sandbox) - 4 - right.length;
  if (room < 0) return fit(`${name}  ${sandbox}`, width);
  return `${paint(BOLD, name)}  ${paint(unconfined ? RED : LEVEL_COLOUR[level], sandbox)}  ${fit(rest, room)}${
    paint(DIM, right)
  }`;
}

function summary({ calls, tokens, running }: UiState, width: number, paint: Paint): string {
  const errors = calls.errors > 0
    ? `, ${plural(calls.errors, "error")} (${percentText(calls.errors, calls.count)})`
    : "";
  const spared = tokens.full > tokens.sent ? `, ${percentText(tokens.full - tokens.sent, tokens.full)} spared` : "";
  const now = running.length > 0 ? `   ${plural(running.length, "call runs", "calls run")}` : "";
  const text = `${plural(calls.count, "call")} in the last hour${errors}   ${
    countText(tokens.sent)
  } tokens answered${spared}${now}`;
  return paint(DIM, fit(text, width));
}

/** A heading and as many lines as there is room for; nothing when there is none. */
function block(title: string, lines: readonly string[], room: number, width: number, paint: Paint): string[] {
  if (lines.length === 0 || room < 1) return [];
  return ["", paint(CYAN, fit(title, width)), ...lines.slice(0, room)].slice(0, room + 2);
}

function toolLines({ tools }: UiState, width: number): string[] {
  const wide = Math.max(12, ...tools.map(({ name }) => name.length));
  return tools.map(({ name, count, errors, p50_ms, p95_ms }) =>
    fit(
      [
        fit(name, wide),
        fit(plural(count, "call"), 12, "right"),
        fit(errors > 0 ? plural(errors, "error") : "", 12, "right"),
        fit(`p50 ${durationText(p50_ms)}`, 13, "right"),
        fit(`p95 ${durationText(p95_ms)}`, 13, "right"),
      ].join(""),
      width,
    )
  );
}

function processLines({ processes }: UiState, width: number, nowMs: number, paint: Paint): string[] {
  return processes.map(({ pid, state, command, started_ms, output_bytes, last_line }) => {
    const age = humanDuration(Math.max(0, (nowMs - started_ms) / 1_000));
    const left = `${fit(String(pid), 8)}${fit(state, 10)}${fit(age, 9)}${fit(humanSize(output_bytes), 8)}`;
    const room = width - columns(left), half = Math.floor(room / 2);
    return room < 8 ? fit(left, width) : `${left}${fit(command, half)} ${paint(DIM, fit(last_line, room - half - 1))}`;
  });
}

function callLines({ running, recent }: UiState, width: number, paint: Paint): string[] {
  if (recent === null) return ["the records cannot be read"];
  if (recent.length + running.length === 0) return ["no call yet"];
  return [
    ...running.map((call) =>
      callLine(clockText(call.started_ms), call.tool, "", "", "running", call.args, width, paint)
    ),
    ...recent.map((call) =>
      callLine(
        clockText(call.time_ms),
        call.tool,
        durationText(call.duration_ms),
        `${countText(call.tokens)} tok`,
        call.status,
        call.args,
        width,
        paint,
      )
    ),
  ];
}

function callLine(
  time: string,
  tool: string,
  took: string,
  cost: string,
  status: string,
  args: string,
  width: number,
  paint: Paint,
): string {
  const left = `${time} ${fit(took, 8, "right")} ${fit(cost, 10, "right")}  ${fit(tool, 22)} `;
  const mark = fit(status, width < WIDE ? 9 : 20);
  const room = width - columns(left) - columns(mark) - 1;
  if (room < 1) return fit(`${time} ${fit(tool, 22)} ${status}`, width);
  const code = status === "ok" ? GREEN : status === "running" ? CYAN : status === "failed" ? YELLOW : RED;
  return `${left}${paint(code, mark)} ${fit(args, room)}`;
}
