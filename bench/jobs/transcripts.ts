/**
 * Recorded calls of a model for each job; arguments that depend on an earlier answer are read from it during replay.
 * @module
 */

/** Calls a tool; the text that a model reads. */
export type Ask = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<string>;
/** Does one job. @returns what the model tells the person */
export type Transcript = (ask: Ask) => Promise<string>;

/** Fails where an answer lacks what the next step follows from: then a model would have been lost as well. */
function must(text: string, sign: RegExp): string {
  const found = sign.exec(text);
  if (!found) throw new Error(`${sign} is not in: ${text}`);
  return found[1] ?? found[0];
}

const UNITTEST = { command: "python3 -m unittest discover -s tests -t ." };

const MODULE = `const UNITS = [["d", 86_400_000], ["h", 3_600_000], ["m", 60_000], ["s", 1_000], ["ms", 1]];
const FORM = /^\\s*(?:(\\d+)\\s*d)?\\s*(?:(\\d+)\\s*h)?\\s*(?:(\\d+)\\s*m(?!s))?\\s*(?:(\\d+)\\s*s)?\\s*(?:(\\d+)\\s*ms)?\\s*$/;

export function parseDuration(text) {
  const match = FORM.exec(text);
  if (match === null || match.slice(1).every((part) => part === undefined)) throw new RangeError("not a duration: " + text);
  return UNITS.reduce((sum, [, size], index) => sum + Number(match[index + 1] ?? 0) * size, 0);
}

export function formatDuration(ms) {
  let rest = ms, text = "";
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) text += count + unit;
    rest -= count * size;
  }
  return text || "0ms";
}
`;
const MODULE_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration, parseDuration } from "../src/duration.js";

test("parses units in order, with blanks", () => {
  assert.equal(parseDuration("1h30m"), 5_400_000);
  assert.equal(parseDuration(" 2d 5 ms "), 172_800_005);
});

test("refuses everything else", () => {
  for (const text of ["", " ", "5", "h", "5x", "-1s", "1h1h", "1s1m"]) assert.throws(() => parseDuration(text), RangeError);
});

test("formats what it parses", () => {
  assert.equal(formatDuration(0), "0ms");
  for (const ms of [1, 1_000, 61_001, 172_800_250]) assert.equal(parseDuration(formatDuration(ms)), ms);
});
`;
const merged = (discount: string, tax: string): string =>
  `export function total(items) {
  const sum = items.reduce((all, item) => all + item.price, 0);
  return (${discount}) * ${tax};
}

export function show(items) {
  console.log(total(items));
  return total(items);
}
`;

/** By the name of the job. */
export const TRANSCRIPTS: Readonly<Record<string, Transcript>> = {
  "fix-bug": async (ask) => {
    const part = must(await ask("run_cmd", UNITTEST), /tests\.test_(part_\d+)\./), path = `framework/${part}.py`;
    const faulty = must(await ask("linux_fs_read", { path }), /\(value \+ step - 1\)/);
    await ask("linux_fs_patch_block", { path, old_text: faulty, new_text: "(value + step // 2)" });
    must(await ask("run_cmd", UNITTEST), /^Ran 2184 tests[^]*\nOK/);
    return "fixed";
  },
  "rename": async (ask) => {
    const hits = must(
      await ask("linux_search_content", { pattern: "\\bgetUser\\b", output: "count", max_results: 5 }),
      /(\d+) hits in \d+ files/,
    );
    const command =
      'grep -rlw getUser . | xargs sed -i "s/\\bgetUser\\b/fetchAccount/g"; grep -rnw getUser . | wc -l; grep -rnw fetchAccount . | wc -l';
    must(await ask("run_cmd", { command }), new RegExp(`^0\n${hits}$`, "m"));
    return "renamed";
  },
  "explore": async (ask) => {
    const file = must(await ask("rag_search", { q: "authentication token check" }), /## (\S+)#L/);
    const folder = file.slice(0, file.lastIndexOf("/"));
    const command = `cat ${folder}/*.js src/http/serve.js; grep -n open src/http/routes.js; grep -rn process.env src`;
    const text = await ask("run_cmd", { command });
    const name = must(text, /export function (verify\w+)/), variable = must(text, /process\.env\.(\w*TRUST\w*)/);
    return `${name} in ${file}; ${must(text, /path: "(.*?)", open/)} is open; ${variable}; ${
      must(text, /LIFETIME_S = (\S+);/)
    } s`;
  },
  "write-module": async (ask) => {
    await ask("linux_fs_write", { path: "src/duration.js", content: MODULE });
    await ask("linux_fs_write", { path: "test/duration.test.js", content: MODULE_TEST });
    must(await ask("run_cmd", { command: "npm test" }), /pass 3\n[^]*fail 0/);
    return "written";
  },
  "dev-server": async (ask) => {
    const server = { command: "node server.js 38471", port: 38_471 },
      curl = { command: "curl -si http://127.0.0.1:38471/health" };
    const first = must(await ask("linux_proc_start", server), /P_\w+/);
    must(await ask("run_cmd", curl), /500/);
    must(await ask("linux_proc_read", { proc_id: first }), /reading 'length'/);
    const key = must(await ask("run_cmd", { command: "cat items.js data/items.json" }), /\.rows[^]*\{"(\w+)":/);
    await ask("linux_fs_patch_block", { path: "items.js", old_text: ").rows", new_text: `).${key}` });
    await ask("linux_proc_stop", { proc_id: first });
    const second = must(await ask("linux_proc_start", server), /P_\w+/);
    must(await ask("run_cmd", curl), /\{"ok":true,"items":3\}/);
    await ask("linux_proc_stop", { proc_id: second });
    return "it answers 200";
  },
  "diagnose": async (ask) => {
    const busy = must(await ask("linux_proc_list", { max_results: 6 }), /^(\d+) .*python3 -c import os print/m);
    const text = await ask("linux_sys_info", { info_type: "disk" });
    return `pid ${busy} is busy; pid ${must(text, /^(\d+) .*export\.tmp/m)} holds a deleted file of ${
      must(text, / (\S+)B \S*export\.tmp/)
    }`;
  },
  "read-log": async (ask) => {
    const command = 'cd logs; grep -c " ERROR " app.log; grep -c " WARN " app.log; grep -m1 " ERROR " app.log; ' +
      'grep " ERROR " app.log | cut -d" " -f4- | sort | uniq -c | sort -rn | head -5';
    return must(await ask("run_cmd", { command }), /^\d+\n\d+\n[^]*/);
  },
  "merge-hooks": async (ask) => {
    const conflict = await ask("run_cmd", { command: "git merge feature; git diff" });
    const discount = must(conflict, /<<<<<<< HEAD\n.*return (.*);/), tax = must(conflict, /return sum \* (\S+);/);
    await ask("linux_fs_write", { path: "src/cart.js", content: merged(discount, tax) });
    must(await ask("run_cmd", { command: "git add -A && git commit --no-edit" }), /console\.log is not allowed/);
    await ask("linux_fs_patch_block", {
      path: "src/cart.js",
      old_text: "  console.log(total(items));\n",
      new_text: "",
    });
    must(
      await ask("run_cmd", { command: "git add -A && git commit --no-edit && git log --oneline --graph" }),
      /Merge branch 'feature'/,
    );
    return "merged";
  },
};
