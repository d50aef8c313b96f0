/**
 * Writes src/core/secrets/rule_set.json: the patterns of secretlint's recommended rules, as data. The rules are asked for their
 * patterns instead of being run: they search a whole text once for each, which is too slow for every result.
 * With `--check` it writes nothing and fails when the file is out of date.
 * @module
 */
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { exists, print, ROOT } from "./project.ts";

const TARGET = `${ROOT}/src/core/secrets/rule_set.json`;
/** Rules whose pattern reaches over lines or is about a URL: src/core/secrets/ does these itself, with a bound. */
const OWN = /-(?:privatekey|basicauth|database-connection-string|filter-comments)$/;

/** A pattern and the texts that every match of it begins with. */
interface Format {
  readonly name: string;
  readonly anchors: readonly string[];
  readonly pattern: string;
  readonly flags: string;
}

async function readFormats(): Promise<Format[]> {
  const found: Format[] = [];
  for (const rule of rules.filter(({ meta }) => !OWN.test(meta.id))) {
    const name = (/rule-(.*)$/.exec(meta(rule))?.[1] ?? "").toUpperCase().replaceAll("-", "_");
    const content = {
      matchAll(pattern: RegExp) {
        const anchors = anchorsOf(pattern.source);
        // A pattern that begins with a choice of words in any case is an assignment: see more_formats.ts.
        if (anchors.every((anchor) => anchor.length >= 3)) {
          found.push({ name, anchors, pattern: pattern.source, flags: pattern.flags.replace("g", "") });
        }
        return [];
      },
    };
    const context = { createTranslator: () => () => ({}), report: () => {}, sharedOptions: {} };
    const made: unknown = Reflect.apply(rule.create, rule, [context, { enableIDScanRule: true }]);
    const look: unknown = Object(made).file;
    if (typeof look === "function") await look({ content, filePath: "a.txt", ext: ".txt", contentType: "text" });
  }
  return found;
}

const meta = (rule: { readonly meta: { readonly id: string } }): string => rule.meta.id;

/** The literal beginnings of a pattern, one for each of its choices. */
function anchorsOf(pattern: string): string[] {
  const source = pattern.replace(/^(?:\\b|\(\?<![^)]*\))+/, "");
  const [first = "", ...others] = splitChoices(source);
  if (others.length > 0) return [first, ...others].flatMap(anchorsOf);
  const group = /^\((?:\?:|\?<\w+>)?([^()[\]]*(?:\[[^\]]*\][^()[\]]*)*)\)/.exec(first);
  if (!group) return [literalStart(first)];
  const rest = first.slice(group[0].length);
  return (group[1] ?? "").split("|").map((choice) => {
    const start = literalStart(choice);
    return start.length === choice.length ? start + literalStart(rest) : start;
  });
}

function splitChoices(source: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const token of source.match(/\\.|\[[^\]]*\]|[^]/g) ?? []) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (token === "|" && depth === 0) parts.push("");
    else parts[parts.length - 1] += token;
  }
  return parts;
}

function literalStart(source: string): string {
  const literal = /^(?:\\[./-]|[\w-]|:)*/.exec(source)?.[0] ?? "";
  return literal.replaceAll("\\", "");
}

if (import.meta.main) {
  const wanted = `${JSON.stringify(await readFormats(), null, 2)}\n`;
  const current = await exists(TARGET) ? await Deno.readTextFile(TARGET) : "";
  if (!Deno.args.includes("--check")) await Deno.writeTextFile(TARGET, wanted);
  else if (current !== wanted) {
    print("src/core/secrets/rule_set.json is out of date: run `deno task docs`");
    Deno.exit(1);
  }
}
