/** Parses the output of pytest and unittest. @module */
import {
  blocksAt,
  EMPTY_RUN,
  numberBefore,
  section,
  splitLocation,
  type TestFailure,
  type TestRun,
  tidy,
} from "./test_run.ts";

const BANNER = /^={4,} .* ={4,}$/;
const CLOSING =
  /^(?:=+ )?((?:\d+ (?:failed|passed|skipped|xfailed|xpassed|errors?|warnings?|deselected|rerun)(?:, )?)+|no tests ran) in ([\d.]+)s/;
const TITLE = /^_{2,} (.+?) _{2,}$/;
const HINT = "Hint: make sure your test modules";
/** Between the frames of one traceback. */
const SEPARATOR = /^(?:_ ){8,}/;
const LOCATION = /^(\S[^:]*:\d+): (?:in |[A-Z]\w*|$)/;

/** Reads pytest's report in every verbosity and traceback style. */
export function parsePytest(lines: readonly string[]): TestRun | null {
  const closingAt = lines.findLastIndex((line) => CLOSING.test(line));
  if (closingAt < 0) return null;
  const closing = lines[closingAt] ?? "";
  const named = lines.map((line) => /^(?:FAILED|ERROR) (\S+(?:\[.*?\])?)(?: - (.*))?$/.exec(line)).filter((match) =>
    match !== null
  );
  const blocks = ["ERRORS", "FAILURES"].flatMap((name) => {
    const own = section(lines, (line) => BANNER.test(line) && line.includes(` ${name} `), (line) => BANNER.test(line));
    return blocksAt(own, (line) => TITLE.test(line));
  });
  const failures = blocks.map((block) => readBlock(block, named.map((match) => match[1] ?? "")));
  const covered = new Set(failures.map((failure) => failure.name));
  const unexplained = named.filter((match) => !covered.has(match[1] ?? "")).map((match) => ({
    name: match[1] ?? "",
    file: (match[1] ?? "").split("::")[0] ?? "",
    line: 0,
    message: match[2] ?? "",
    block: [match[0]],
    essence: [match[0]],
  }));
  return {
    ...EMPTY_RUN,
    passed: numberBefore(closing, "passed") + numberBefore(closing, "xpassed"),
    failed: numberBefore(closing, "failed"),
    skipped: numberBefore(closing, "skipped") + numberBefore(closing, "xfailed"),
    errors: numberBefore(closing, "errors?"),
    failures: [...failures, ...(blocks.length === 0 ? unexplained : [])],
    summary: [closing.replace(/^=+ | =+$/g, "")],
    durationS: Number(CLOSING.exec(closing)?.[2] ?? 0),
    slowest: lines.flatMap((line) => {
      const match = /^([\d.]+)s (?:call|setup|teardown)\s+(\S+)$/.exec(line);
      return match === null ? [] : [{ name: match[2] ?? "", seconds: Number(match[1]) }];
    }),
  };
}

function readBlock(block: readonly string[], named: readonly string[]): TestFailure {
  const title = TITLE.exec(block[0] ?? "")?.[1] ?? "";
  const short = title.replace(/^ERROR (?:at \w+ of|collecting) /, "");
  const tail = short.replaceAll(".", "::");
  const body = block.slice(1).filter((line) => line.trim() !== "" && !SEPARATOR.test(line) && !line.startsWith(HINT));
  const locations = body.map((line) => LOCATION.exec(line)?.[1]).filter((found) => found !== undefined);
  const own = locations.filter((found) => !/site-packages|\/lib\/python/.test(found));
  const errors = body.filter((line) => /^E( |$)/.test(line));
  return {
    name: named.find((id) => id === short || id.endsWith(`::${tail}`) || id.endsWith(`::${short}`)) ?? short,
    ...splitLocation(own.at(-1) ?? locations.at(-1)),
    message: errors[0]?.slice(1).trim() ?? "",
    block: [title, ...body],
    essence: [title, ...body.filter((line) => /^(?:E|>) /.test(line) || LOCATION.test(line))],
  };
}

/** Reads unittest's report. */
export function parseUnittest(lines: readonly string[]): TestRun | null {
  const ran = lines.map((line) => /^Ran (\d+) tests? in ([\d.]+)s$/.exec(line)).find((match) => match !== null);
  if (ran === undefined) return null;
  const verdict = lines.findLast((line) => /^(?:OK|FAILED)(?: \(.*\))?$/.test(line)) ?? "";
  const valueOf = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(verdict)?.[1] ?? 0);
  const end = lines.findIndex((line) => line.startsWith("Ran "));
  const opens = (line: string) => /^(?:FAIL|ERROR): /.test(line);
  const blocks = blocksAt(lines.slice(0, end), opens);
  const failures = blocks.map((block) => {
    const body = tidy(block.slice(1).filter((line) => !/^[-=]{40,}$/.test(line)));
    const frame = body.map((line) => /^ {2}File "(.+)", line (\d+)/.exec(line)).findLast((match) => match !== null);
    const last = body.findLast((line) => /^\S/.test(line)) ?? "";
    return {
      name: /^\w+: (?:.*\((.+)\)|(.+))$/.exec(block[0] ?? "")?.[1] ?? (block[0] ?? ""),
      file: frame?.[1] ?? "",
      line: Number(frame?.[2] ?? 0),
      message: last,
      block: [block[0] ?? "", ...body],
      essence: [block[0] ?? "", ...(frame === undefined ? [] : [frame[0]]), last],
    };
  });
  const failed = valueOf("failures"), errors = valueOf("errors"), skipped = valueOf("skipped");
  return {
    ...EMPTY_RUN,
    passed: Number(ran[1]) - failed - errors - skipped,
    failed,
    errors,
    skipped,
    failures,
    summary: [ran[0], verdict],
    durationS: Number(ran[2]),
  };
}
