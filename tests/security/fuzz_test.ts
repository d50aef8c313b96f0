/** Malformed paths, messages, arguments and requests. `make security` sends many more. @module */
import assert from "node:assert/strict";
import { fuzzHttp } from "../../bench/security/http_fuzz.ts";
import { fuzzPaths } from "../../bench/security/path_fuzz.ts";
import { ALL_TOOLS, fuzzRpc } from "../../bench/security/rpc_fuzz.ts";
import { BINARY, Sandbox, startHttp } from "../support/binary.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";

const SEED = 20_785;

Deno.test("of 2,000 paths each opens what the kernel says, or nothing", async () => {
  const { escapes, wrong, broken, read, refused } = await fuzzPaths({
    count: 2_000,
    seed: SEED,
    command: (root, home) => ({
      program: BINARY,
      args: ["stdio", "--root", root],
      env: { PATH: "/usr/bin:/bin", HOME: home, XDG_STATE_HOME: `${home}/../state` },
    }),
  });
  assert.deepEqual({ escapes, wrong, broken }, { escapes: [], wrong: [], broken: [] });
  assert.ok(read > 100 && refused > 100, `${read} read, ${refused} refused`);
});

Deno.test("no message and no arguments break the server over stdio", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n", "dir/b.txt": "b\n" });
  const command = { program: BINARY, args: ["stdio", "--root", sandbox.root, ...ALL_TOOLS], env: sandbox.env };
  const { faults, worked, tools } = await fuzzRpc({ command, frames: 300, callsPerTool: 10, seed: SEED });
  assert.deepEqual(faults, []);
  assert.ok(tools.length > 35 && worked > 20, `${tools.length} tools, ${worked} calls worked`);
});

Deno.test("no request breaks the server over HTTP", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n", "dir/b.txt": "b\n" });
  const args = [...WITHOUT_LIMITS, "--set", "mcp.tools.idle_timeout=3", "--set", "mcp.limits.concurrency_per_token=64"];
  await using server = await startHttp(sandbox, { args });
  const { faults, statuses } = await fuzzHttp({ server, requests: 400, rawConnections: 120, seed: SEED });
  assert.deepEqual(faults, []);
  assert.ok((statuses["200"] ?? 0) > 50 && (statuses["422"] ?? 0) > 20, JSON.stringify(statuses));
});
