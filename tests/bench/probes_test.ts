import assert from "node:assert/strict";
import { PROBES } from "../../bench/faults/all.ts";
import { applies, type Probe, tryProbe } from "../../bench/faults/probe.ts";
import { type Contestant, make } from "../../bench/peers/hands.ts";

const SERVER = new URL("./naive_server.ts", import.meta.url).pathname;

/** The server that does everything wrong; it ends with its input unless it is told to stay. */
const naive: Contestant = {
  key: "naive",
  title: "naive",
  version: "0",
  command: ({ root, home, env }) =>
    Promise.resolve({
      program: Deno.execPath(),
      args: ["run", "-A", "--no-config", "--no-check", SERVER],
      env: { ...env, HOME: home, DENO_NO_UPDATE_CHECK: "1" },
      cwd: root,
    }),
  read: (path) => ({ name: "read", args: { path } }),
  list: (path) => ({ name: "list", args: { path } }),
  write: (path, content) => ({ name: "write", args: { path, content } }),
  edit: (path, oldText, newText) => ({ name: "edit", args: { path, old: oldText, new: newText } }),
  move: (source, target) => ({ name: "move", args: { source, target } }),
  run: (command) => ({ name: "run", args: { command } }),
  killProcess: (pid) => ({ name: "run", args: { command: `kill -9 ${pid}` } }),
  search: (server, _path, pattern) => server.call("search", { pattern }),
  output: async (server, command) => (await make(server, { name: "run", args: { command } })).text,
  liftRules: () => Promise.resolve(),
};

const staying: Contestant = {
  ...naive,
  async command(place) {
    const command = await naive.command(place);
    return { ...command, args: [...command.args, "--stay"] };
  },
};

/** What even a naive server does right. */
const RIGHT = new Set(["fast_output", "utf8_chunks", "prompt_like_output", "discover_first"]);
/** Rows in which something has to be waited for: together they take no longer than the slowest. */
const SLOW = new Set([
  ...["fifo_read", "reads_stdin", "pipe_holder", "timeout_tree", "cancel", "input_ends"],
  ...["server_terminated", "server_killed", "idle_end"],
]);

async function findOut(probe: Probe): Promise<void> {
  assert.ok(applies(probe, naive));
  const { verdict, note } = await tryProbe(probe, SLOW.has(probe.key) ? staying : naive);
  assert.equal(verdict, "BAD", `${probe.title}: ${note}`);
}

for (const probe of PROBES.filter(({ key }) => !RIGHT.has(key) && !SLOW.has(key))) {
  Deno.test(`a naive server is found out: ${probe.title}`, () => findOut(probe));
}

Deno.test("a naive server is found out wherever something hangs or lives on", async () => {
  await Promise.all(PROBES.filter(({ key }) => SLOW.has(key)).map(findOut));
});
