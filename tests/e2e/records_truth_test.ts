/** Counts and "more" of processes, recent calls, names and code search equal those of a plain reference. @module */
import assert from "node:assert/strict";
import { Sandbox } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { makeRandom } from "../support/random.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const SEEDS = [21, 22, 23];
const JSON_RESULTS = ["--set", "mcp.tools.result_format=json", "--set", "mcp.tools.result_tokens=60000"];
// deno-lint-ignore no-explicit-any -- the fields of four tools, each looked at by name
type Answer = any;

async function withServer(
  files: Record<string, string>,
  test: (call: (name: string, args?: Record<string, unknown>) => Promise<Answer>, root: string) => Promise<void>,
): Promise<void> {
  await using sandbox = await Sandbox.make(files);
  await using peer = await StdioPeer.open(sandbox, { args: JSON_RESULTS });
  await test(async (name, args = {}) => JSON.parse(await peer.call(name, args)), sandbox.root);
}

/** Process ids whose command line contains a text, as /proc has them. */
async function pidsOf(words: string): Promise<number[]> {
  const pids: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const line = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (line.replaceAll("\0", " ").includes(words)) pids.push(Number(name));
  }
  return pids.sort((a, b) => a - b);
}

for (const seed of SEEDS) {
  Deno.test(`seed ${seed}: linux_proc_list counts the processes that /proc has, and its handle has them all`, async () => {
    const { below } = makeRandom(seed), count = 3 + below(6), words = `sleep 98.${Deno.pid}${seed}`;
    const seconds = words.slice("sleep ".length);
    const children = Array.from({ length: count }, () => new Deno.Command("sleep", { args: [seconds] }).spawn());
    try {
      await eventually(async () => assert.equal((await pidsOf(words)).length, count));
      const expected = await pidsOf(words);
      await withServer({}, async (call) => {
        for (const max_results of [1, count - 1, count, count + 1, 200]) {
          const answer = await call("linux_proc_list", { name: words, max_results }),
            shown = Math.min(count, max_results);
          assert.deepEqual(
            [answer.processes.length, answer.total_processes, answer.truncated],
            [shown, count, shown < count],
            `${max_results} of ${count}`,
          );
          const listed: number[] = answer.processes.map(({ pid }: { pid: number }) => pid);
          assert.ok(listed.every((pid) => expected.includes(pid)));
          if (!answer.truncated) continue;
          const { content } = await call("linux_handle_read", { handle: answer.handle, offset: 0, limit: 500 });
          assert.deepEqual(expected.filter((pid) => !new RegExp(`\\b${pid}\\b`).test(content)), []);
        }
        assert.equal((await call("linux_proc_list", { name: `${words}9` })).total_processes, 0);
      });
    } finally {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(children.map(({ status }) => status));
    }
  });

  Deno.test(`seed ${seed}: linux_mcp_recent_calls has the newest calls in order, and says whether there are older ones`, async () => {
    const { below, pick } = makeRandom(seed), kinds = ["linux_fs_stat", "linux_fs_read", "linux_fs_list"];
    await withServer({ "a.txt": "x\n" }, async (call) => {
      const made: string[] = [];
      for (let left = 6 + below(8); left > 0; left--) {
        const tool = pick(kinds);
        await call(tool, { path: tool === "linux_fs_list" ? "." : "a.txt" });
        made.unshift(tool);
      }
      for (const tool_name of ["linux_fs_*", ...kinds]) {
        const expected = made.filter((tool) => tool_name.endsWith("*") || tool === tool_name);
        for (const max_results of [1, Math.max(1, expected.length - 1), Math.max(1, expected.length), 200]) {
          const { records, more = false } = await call("linux_mcp_recent_calls", { tool_name, max_results });
          const tools = records.map(({ tool }: { tool: string }) => tool);
          assert.deepEqual(tools, expected.slice(0, max_results), `${tool_name} ${max_results}`);
          assert.equal(more, expected.length > max_results, `${tool_name} ${max_results} of ${expected.length}`);
        }
      }
    });
  });

  Deno.test(`seed ${seed}: list_dir has every name or says how many there are and how many are hidden`, async () => {
    const { below, chance } = makeRandom(seed);
    const names = Array.from({ length: 5 + below(30) }, (_, at) => `${chance(0.3) ? "." : ""}n${at}`);
    await withServer(Object.fromEntries(names.map((name) => [name, ""])), async (call) => {
      for (const include_hidden of [false, true]) {
        const expected = names.filter((name) => include_hidden || !name.startsWith(".")).sort();
        const hidden = names.length - expected.length;
        for (const max_entries of [1, expected.length, 1_000].filter((most) => most > 0)) {
          const { data, meta } = await call("list_dir", { include_hidden, max_entries });
          assert.deepEqual(data, expected.slice(0, max_entries));
          assert.deepEqual(meta, {
            path: ".",
            ...hidden > 0 ? { hidden } : {},
            ...expected.length > max_entries ? { total: expected.length, truncated: true } : {},
          });
        }
      }
    });
  });

  Deno.test(`seed ${seed}: rag_search counts the files, and every snippet is what its lines say`, async () => {
    const { below } = makeRandom(seed), count = 4 + below(8);
    const files = Object.fromEntries(Array.from({ length: count }, (_, at) => {
      const filler = Array.from({ length: below(20) }, (_, line) => `const filler${at}x${line} = ${line};\n`).join("");
      return [
        `src/m${at}.ts`,
        `${filler}\n/** Weighs the zebra. */\nexport function zebra${at}() {\n  return ${at};\n}\n`,
      ];
    }));
    await withServer({ ...files, ".git/HEAD": "ref: refs/heads/main\n" }, async (call) => {
      for (const k of [1, 3, 50]) {
        const { snippets, index } = await call("rag_search", { q: "zebra", k, budget_tokens: 20_000 });
        assert.equal(index.files, count);
        const sources: string[] = snippets.map(({ src }: { src: string }) => src);
        assert.equal(new Set(sources).size, sources.length);
        assert.ok(sources.length <= k);
        if (k >= count) {
          assert.deepEqual([...new Set(sources.map((src) => src.split("#")[0]))].sort(), Object.keys(files).sort());
        } else assert.equal(sources.length, k);
        for (const { src, text } of snippets) {
          const [, path = "", first, last] = src.match(/^(.*)#L(\d+)-L(\d+)$/) ?? [];
          const lines = (files[path] ?? "").split("\n").slice(Number(first) - 1, Number(last)).join("\n");
          assert.equal(text, lines, src);
        }
      }
      const { snippets } = await call("rag_search", { q: "qqxxyyzz" });
      assert.deepEqual(snippets, []);
    });
  });
}
