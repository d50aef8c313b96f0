/** Parses compiler and linter output into diagnostics. @module */

/** One error or warning at one place. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  /** Path with line and column, in the compiler's own form. */
  readonly place: string;
  /** Code or rule and message: two diagnostics with the same text say the same. */
  readonly text: string;
  /** The line that introduces it, as printed (eslint's with its file before it). */
  readonly header: string;
  /** Code frames, notes, help. */
  readonly detail: readonly string[];
}

/** All diagnostics, the closing lines, and the lines that belong to neither. */
export interface DiagnosticLines {
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: readonly string[];
  readonly others: readonly string[];
}

type Header = Omit<Diagnostic, "detail">;

const SUMMARY =
  /^(?:✖ \d+ problems?|Found \d+ |error: (?:could not|aborting|Type checking|test failed|build failed)|g?make(?:\[\d+\])?: \*\*\*|ninja: |FAILED: |\d+ (?:errors?|warnings?)\b|warning: `?\S+`? .*generated \d+ warning|All checks passed|Success: |Your code has been rated|\[\*\] \d+ fixable)/;
const CONTEXT =
  /^In file included from|^\s+from \S+:\d+|: (?:In (?:function|member function|constructor)|At top level)|^Some errors have detailed|^For more information about|^# \S+$|^Check \S+$|^\s+(?:Compiling|Checking|Finished) /;

/** Reads every form; lines that introduce nothing belong to the diagnostic before them. */
export function parseDiagnostics(lines: readonly string[]): DiagnosticLines {
  const diagnostics: { header: Header; detail: string[] }[] = [];
  const summary: string[] = [];
  const others: string[] = [];
  let eslintFile = "", open = false;
  for (const [i, line] of lines.entries()) {
    if (SUMMARY.test(line)) {
      summary.push(line);
      open = false;
      continue;
    }
    if (/^\S.*\.\w+$/.test(line) && /^\s+\d+:\d+\s/.test(lines[i + 1] ?? "")) {
      eslintFile = line;
      open = false;
      continue;
    }
    const header = readHeader(line, lines[i + 1] ?? "", eslintFile);
    if (header?.severity === "note" && open) diagnostics.at(-1)?.detail.push(line);
    else if (header !== undefined) {
      diagnostics.push({ header, detail: [] });
      open = true;
    } else if (CONTEXT.test(line)) {
      open = false;
    } else if (open && belongs(line)) diagnostics.at(-1)?.detail.push(line);
    else if (line.trim() !== "") others.push(line);
  }
  const placed = diagnostics.map(({ header, detail }) => ({
    ...header,
    place: header.place || placeIn(detail),
    detail: trimEnds(detail),
  }));
  return { diagnostics: placed, summary, others };
}

function readHeader(line: string, next: string, eslintFile: string): Header | undefined {
  const tsc = /^(\S.*?(?:\(\d+,\d+\)|:\d+:\d+))(?::| -) (error|warning) (TS\d+: .*)$/.exec(line);
  if (tsc !== null) return make(tsc[2], tsc[1], tsc[3], line);
  const gnu =
    /^(?:vet: )?([^\s:][^:]*:\d+(?::\d+)?): ?(?:(fatal error|error|warning|note|info|style|convention|refactor): )?(\S.*)$/
      .exec(line);
  if (gnu !== null && !/^\d+ \|/.test(gnu[3] ?? "")) return make(gnu[2] ?? guess(gnu[3]), gnu[1], gnu[3], line);
  const eslint = /^\s+(\d+:\d+)\s+(error|warning)\s+(.*?)\s*$/.exec(line);
  if (eslint !== null && eslintFile !== "") {
    const text = (eslint[3] ?? "").replace(/\s{2,}/g, "  ");
    return make(eslint[2], `${eslintFile}:${eslint[1]}`, text, `${eslintFile}:${eslint[1]} ${eslint[2]} ${text}`);
  }
  const rust = /^(error|warning)(?:\[[^\]]+\])?: (.*)$/.exec(line);
  if (rust !== null && /^\s*--> /.test(next)) return make(rust[1], placeIn([next]), line, line);
  const deno = /^(TS\d+) \[(ERROR|WARN\w*)\]: (.*)$/.exec(line);
  if (deno !== null) return make(deno[2] === "ERROR" ? "error" : "warning", "", line, line);
  return undefined;
}

function make(
  severity: string | undefined,
  place: string | undefined,
  text: string | undefined,
  header: string,
): Header {
  const kind = /error/.test(severity ?? "") ? "error" : severity === "note" ? "note" : "warning";
  return { severity: kind, place: place ?? "", text: text ?? "", header };
}

/** Go and Python linters name no severity: what stops a build is an error. */
function guess(text = ""): string {
  return /^[CRW]\d{3,4}\b/.test(text) ? "warning" : "error";
}

/** Frames, notes and continuation lines are indented or drawn; an empty line may stand between them. */
function belongs(line: string): boolean {
  return line === "" || /^\s|^\d+ \||^[|=+~^]|^(?:help|note): |^\d+ {1,8}\S/.test(line) ||
    !/^(?:gcc|g\+\+|cc|clang|rustc|\[|\/)/.test(line);
}

/** `--> src/main.rs:1:2` or `at file:///x.ts:2:3` in the lines below a header. */
function placeIn(lines: readonly string[]): string {
  for (const line of lines) {
    const match = /^\s*(?:--> |at )(?:file:\/\/)?(\S+:\d+:\d+)$/.exec(line);
    if (match !== null) return match[1] ?? "";
  }
  return "";
}

function trimEnds(lines: readonly string[]): string[] {
  const kept = [...lines];
  while (kept.length > 0 && /^\s*\|?\s*$/.test(kept.at(-1) ?? "")) kept.pop();
  return kept;
}
