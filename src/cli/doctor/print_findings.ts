/** Prints doctor findings, one line each, with the command that would fix them. @module */
import { VERSION } from "../../core/version.ts";
import type { SandboxReport } from "../../sandbox/protocol.ts";
import { print } from "../output.ts";
import { wrap } from "../wrap.ts";
import type { Finding } from "./finding.ts";

/** Columns of the mark and what follows it. */
const MARK_WIDTH = 6;
/** On a terminal that is narrower the lines break where they must. */
const LEAST_ROOM = 30;

/** Prints them. `report` is null when the server could not be started. */
export function printFindings(report: SandboxReport | null, findings: readonly Finding[]): void {
  const colour = Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR");
  const paint = (code: number, text: string) => colour ? `\x1b[${code}m${text}\x1b[0m` : text;
  const marks = { ok: paint(32, "ok  "), warn: paint(33, "warn"), bad: paint(31, "BAD ") };
  const width = Math.max(...findings.map(({ name }) => name.length));
  const margin = " ".repeat(MARK_WIDTH + width + 2);
  const columns = Deno.stdout.isTerminal() ? Deno.consoleSize().columns : 0; // 0 also where it is unknown
  const room = columns > 0 ? Math.max(LEAST_ROOM, columns - margin.length) : Infinity;
  const level = report ? paint(1, report.level) : paint(31, "unknown, because the server does not start");
  print(`llmc-mcp ${VERSION} · sandbox level: ${level}${report?.unconfined ? " (unconfined roots)" : ""}\n\n`);
  for (const { name, state, detail, help } of findings) {
    print(`${marks[state]}  ${name.padEnd(width)}  ${wrap(detail, room).join(`\n${margin}`)}\n`);
    if (help) print(`${" ".repeat(MARK_WIDTH)}→ ${help}\n`); // in one line, to be copied
  }
  print(`\n${summary(findings)}\n`);
}

function summary(findings: readonly Finding[]): string {
  const count = (wanted: string) => findings.filter(({ state }) => state === wanted).length;
  const bad = count("bad"), warn = count("warn");
  const counts = `${plural(bad, "error")}, ${plural(warn, "warning").toLowerCase()}.`;
  return bad + warn > 0 ? `${counts} Lines with → show how to fix them.` : "No errors, no warnings.";
}

function plural(count: number, noun: string): string {
  return `${count === 0 ? "No" : count} ${noun}${count === 1 ? "" : "s"}`;
}
