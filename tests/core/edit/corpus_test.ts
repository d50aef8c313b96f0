/**
 * Every file in corpus/ is one diff as programs and models write them, with the files before and after.
 *
 * A file has sections, each led by a line `=== KIND NAME FLAGS`: `file` (before), `diff`, `expect` (after), `absent`,
 * `report` (what the plan says), `error` (code and message as a pattern). Flags: `crlf`, `cr`, `noeol`, `executable`.
 */
import assert from "node:assert/strict";
import { parseDiff } from "../../../src/core/edit/parse_diff.ts";
import { planDiff } from "../../../src/core/edit/plan_diff.ts";
import { decodeFile } from "../../../src/core/edit/text_file.ts";
import type { DiffTree, FileChange } from "../../../src/core/edit/planned_files.ts";
import { rejectionError } from "../../../src/core/edit/rejection.ts";
import { OpsError } from "../../../src/core/error.ts";

interface Section {
  readonly kind: string;
  readonly name: string;
  readonly flags: readonly string[];
  readonly text: string;
}

interface Entry {
  readonly data: Uint8Array;
  readonly mode: number;
}

function parseCase(source: string): readonly Section[] {
  return source.split(/^=== /m).slice(1).map((section) => {
    const end = section.indexOf("\n");
    const [head = "", body = ""] = [section.slice(0, end), section.slice(end + 1)];
    const { kind = "", rest = "" } = head.match(/^(?<kind>\w+) ?(?<rest>.*)$/)?.groups ?? {};
    const words = rest.split(" ");
    const flags: string[] = [];
    while (["crlf", "cr", "noeol", "executable"].includes(words.at(-1) ?? "")) flags.push(words.pop() ?? "");
    const plain = flags.includes("noeol") ? body.replace(/\n$/, "") : body;
    const text = flags.includes("crlf")
      ? plain.replaceAll("\n", "\r\n")
      : flags.includes("cr")
      ? plain.replaceAll("\n", "\r")
      : plain;
    return { kind, name: words.join(" "), flags, text };
  });
}

const bytes = (text: string) => new TextEncoder().encode(text);
const entryOf = ({ text, flags }: Section): Entry => ({
  data: bytes(text),
  mode: flags.includes("executable") ? 0o755 : 0o644,
});

/** Files in memory; a name is a path below nothing. */
function treeOf(files: ReadonlyMap<string, Entry>): DiffTree {
  const entry = (path: string) => {
    const found = files.get(path);
    if (found === undefined) throw new Error(`${path} was used without being there`);
    return found;
  };
  const place = (name: string) => {
    if (name.startsWith("/")) throw new OpsError("INVALID_PATH", name);
    return Promise.resolve(name);
  };
  return {
    place,
    entry: place,
    exists: (path) => Promise.resolve(files.has(path)),
    read: (path) => Promise.resolve(entry(path).data),
    decode: (bytes, name) => decodeFile(bytes, name),
    mode: (path) => Promise.resolve(entry(path).mode),
  };
}

/** What a commit does, on the files in memory; in any order, because no change may depend on another one. */
function carryOut(files: ReadonlyMap<string, Entry>, changes: readonly FileChange[]): Map<string, Entry> {
  const after = new Map(files);
  for (const change of changes) {
    if (change.do === "remove" || change.do === "move") {
      after.delete(change.do === "move" ? change.source : change.path);
    }
  }
  for (const change of changes) {
    const before = files.get(change.do === "move" ? change.source : change.path);
    if (change.do === "remove") continue;
    assert.equal(
      change.do === "create" || change.do === "move",
      !files.has(change.path),
      `${change.do} ${change.path}`,
    );
    const data = change.do === "mode" ? before?.data : change.data ?? before?.data;
    assert(data !== undefined);
    const mode = change.do === "create" ? (change.mode ?? 0o666) & ~0o022 : change.mode;
    after.set(change.path, { data, mode: mode ?? before?.mode ?? 0o644 });
  }
  return after;
}

async function applyTo(files: ReadonlyMap<string, Entry>, diff: string) {
  const plan = await planDiff(parseDiff(diff), treeOf(files));
  if (!plan.ok) throw await rejectionError(plan.rejected);
  const report = plan.files.map(({ action, path, offsets, fuzz }) =>
    `${action} ${path} offsets ${offsets.join() || "none"} fuzz ${fuzz}`
  );
  return { after: carryOut(files, plan.changes), report: report.join("\n") };
}

const directory = new URL("./corpus/", import.meta.url);
const names = [...Deno.readDirSync(directory)].map(({ name }) => name).sort();

Deno.test("the corpus has at least sixty diffs", () => assert(names.length >= 60));

for (const name of names) {
  Deno.test(`apply_diff: ${name.replace(/^\d+-(.*)\.txt$/, "$1").replaceAll("-", " ")}`, async () => {
    const sections = parseCase(await Deno.readTextFile(new URL(name, directory)));
    const files = new Map(
      sections.filter(({ kind }) => kind === "file").map((section) => [section.name, entryOf(section)]),
    );
    const section = (kind: string) => sections.find((one) => one.kind === kind);
    const work = applyTo(files, section("diff")?.text ?? "");
    const error = section("error");
    if (error !== undefined) {
      return await assert.rejects(work, (thrown) => {
        assert(thrown instanceof OpsError, String(thrown));
        assert.match(`${thrown.code} ${thrown.message.replaceAll("\n", " ")}`, new RegExp(error.text.trim()));
        return true;
      });
    }
    const { after, report } = await work;
    const wanted = new Map(files);
    for (const one of sections) {
      if (one.kind === "absent") wanted.delete(one.name);
      if (one.kind === "expect") wanted.set(one.name, entryOf(one));
    }
    const readable = (entries: ReadonlyMap<string, Entry>) =>
      Object.fromEntries(
        [...entries].sort().map((
          [path, { data, mode }],
        ) => [path, `${mode.toString(8)} ${new TextDecoder("utf-8", { ignoreBOM: true }).decode(data)}`]),
      );
    assert.deepEqual(readable(after), readable(wanted));
    if (section("report") !== undefined) assert.equal(report, section("report")?.text.trim());
  });
}
