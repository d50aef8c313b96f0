/** Parses a repository's guides for contributors: AGENTS.md, CONTRACTS.md, CLAUDE.md, README. @module */
import type { IndexFiles } from "../sys/files/index_files.ts";

/** What the guides say, shortest first in worth. */
export interface Guides {
  /** Names of the guides that are there. */
  readonly names: readonly string[];
  /** What the project is, in one sentence. */
  readonly about: string;
  /** Rules: what must, should and must not be done. */
  readonly rules: readonly string[];
  /** Commands to build, check and test. */
  readonly commands: readonly string[];
}

const RULE_GUIDES =
  /^(?:agents?|contracts?|claude|gemini|copilot-instructions|contributing)(?:\.[\w.]+)?\.(?:md|txt|rst)$/i;
const README = /^readme(?:\.\w+)?$/i;
const MOST_BYTES = 64 * 1024;
const MOST_RULES = 40, MOST_RULE_CHARS = 180, MOST_COMMANDS = 5, MOST_ABOUT_CHARS = 200;

// deno-lint-ignore no-control-regex -- terminal escapes really occur at the start of such files
const ESCAPES = /\x1b\[[\d;?]*[ -/]*[@-~]/g;
const BULLET = /^\s*(?:[-*+•]|\d+[.)])\s+(.+)$/;
const IMPERATIVE =
  /\b(?:must|never|always|do not|don'?t|only|should|required?|forbidden|avoid|stop|before|ensure|instead|blocked|approval|prefer)\b/i;
/** What tells how to work here, above what tells what is here. */
const STRONG = /\b(?:must|never|always|do not|don'?t|forbidden|blocked|required?)\b/i;
const COMMAND =
  /^\s*\$?\s*((?:npm|pnpm|yarn|bun|deno|node|make|just|cargo|go|python3?|pytest|uv|poetry|tox|nox|hatch|mvn|gradle|\.\/gradlew|dotnet|bundle|rake|composer|php|cmake|ctest|bazel|mix|swift|zig|task)\s+[^#\n]{1,80})/;
const CHECKS = /\b(?:test|check|lint|build|verify|ci|vet|clippy|typecheck|fmt|format)\b/i;

/** One line without the marks of markdown. */
function plain(line: string): string {
  return line.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/<[^>]+>/g, "").replace(
    /\*\*|__|(?<=\s|^)[*_]|[*_](?=\s|$)/g,
    "",
  )
    .replace(/^#+\s*/, "").replace(/\s+/g, " ").trim();
}

/** The first sentence of a text that says what to do or not; empty when none does. */
function firstRule(text: string): string {
  const sentences = text.match(/.+?(?:[.!?](?=\s|$)|$)/g) ?? [];
  return sentences.find((sentence) => IMPERATIVE.test(sentence))?.trim() ?? "";
}

/** Lines of a paragraph, and those that continue a bullet, as one line each; fences stay as they are. */
function unwrap(text: string): string[] {
  const lines: string[] = [];
  let fenced = false, isOpen = false;
  for (const line of text.split("\n")) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) fenced = !fenced;
    const stands = fenced || isFence || /^\s*(?:$|[#|>=<!]|\.\. |[-=~^*_]{3,}\s*$)/.test(line);
    if (!stands && isOpen && !BULLET.test(line)) lines[lines.length - 1] += ` ${line.trim()}`;
    else lines.push(line);
    isOpen = !stands;
  }
  return lines;
}

function readRules(text: string): { line: string; worth: number }[] {
  const found: { line: string; worth: number }[] = [];
  let fenced = false;
  for (const line of unwrap(text)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced || /^\s*\|?[-:| ]+\|?\s*$/.test(line)) continue;
    const rule = firstRule(plain(BULLET.exec(line)?.[1] ?? line));
    if (rule.length < 12) continue;
    const short = rule.length > MOST_RULE_CHARS ? `${rule.slice(0, MOST_RULE_CHARS - 1)}…` : rule;
    found.push({ line: short, worth: (STRONG.test(rule) ? 2 : 1) + (BULLET.test(line) ? 1 : 0) });
    if (found.length >= MOST_RULES) break;
  }
  return found;
}

function readCommands(text: string): string[] {
  const found: string[] = [];
  let fenced = false;
  for (const line of text.split("\n")) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const inline = fenced ? [line] : [...line.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
    for (const part of inline) {
      const command = COMMAND.exec(part)?.[1]?.trim();
      if (command !== undefined && CHECKS.test(command)) found.push(command);
    }
  }
  return [...new Set(found)];
}

/** The first sentence of prose in a README. */
function readAbout(text: string): string {
  let fenced = false;
  for (const line of unwrap(text)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const isProse = !fenced && !/^\s*(?:[#|>=<!\-*[]|\.\. |[-=~^]{3,})/.test(line);
    const said = isProse ? plain(line) : "";
    if (said.length >= 20 && /\s/.test(said)) return /^.{20,240}?[.!?](?=\s|$)/.exec(said)?.[0] ?? cutAtBlank(said);
  }
  const title = /^#*\s*(\S.*)$/m.exec(text)?.[1] ?? "";
  return plain(title).slice(0, 120);
}

/** The first words of a long sentence. */
function cutAtBlank(text: string): string {
  return text.length <= MOST_ABOUT_CHARS ? text : `${text.slice(0, MOST_ABOUT_CHARS).replace(/\s+\S*$/, "")}…`;
}

/** Reads the guides at the top of a folder. @param root Real path. */
export function readGuides(files: IndexFiles, root: string): Guides {
  const names = files.names(root).filter((name) => RULE_GUIDES.test(name) || README.test(name)).sort((a, b) =>
    Number(README.test(a)) - Number(README.test(b)) || a.localeCompare(b)
  );
  const texts = names.flatMap((name) => {
    const text = files.head(`${root}/${name}`, MOST_BYTES)?.replace(ESCAPES, "").replaceAll("\r\n", "\n");
    return text === undefined ? [] : [{ name, text }];
  });
  const rules = texts.filter(({ name }) => !README.test(name)).flatMap(({ text }) => readRules(text));
  const readme = texts.find(({ name }) => README.test(name));
  return {
    names: texts.map(({ name }) => name),
    about: readme === undefined ? "" : readAbout(readme.text),
    rules: [...new Set(rules.sort((a, b) => b.worth - a.worth).map(({ line }) => line))],
    commands: [...new Set(texts.flatMap(({ text }) => readCommands(text)))].slice(0, MOST_COMMANDS),
  };
}
