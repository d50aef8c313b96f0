import assert from "node:assert/strict";
import { loadConfig } from "../../src/config/load.ts";
import { resolveConfig } from "../../src/config/resolve.ts";
import { makeChildHost } from "../../src/sandbox/child_host.ts";
import { HOME_CLEANER } from "../../src/sandbox/protocol.ts";
import { makeGuardWatch } from "../../src/sandbox/guard_watch.ts";
import { placeCanary } from "../../src/sandbox/prepare_host.ts";
import { openLibc } from "../../src/sys/libc.ts";
import { thisMachine } from "../../src/sys/machine.ts";
import { type TempTree, tempTree } from "../support/temp_tree.ts";

const libc = openLibc();

/** A host whose children do nothing. */
function makeHost(tree: TempTree) {
  const values = { "mcp.data_dir": tree.path("data") };
  const machine = { ...thisMachine(), env: {}, homeDir: tree.root, workingDir: tree.root };
  const config = resolveConfig(loadConfig({ overrides: { values, roots: [tree.path("root")] } }, machine), machine);
  const host = {
    config,
    canary: placeCanary(tree.path("canary"), tree.root),
    storeDir: config.dataDir,
    ownFolders: [],
    runtimeDir: tree.root,
    scratchDir: tree.root,
    homeDir: tree.root,
    extraPrograms: tree.root,
    marker: "test",
    serverPid: Deno.pid,
    landlockAbi: 0,
    keepsNamespace: false,
    forcedLevel: null,
  } as const;
  const guard = makeGuardWatch(libc, host, false);
  const start = () => new Deno.Command("true", { stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  const choose = () => ({
    isHeld: true,
    host,
    confinement: "none" as const,
    start,
    payloadLeader: (pid: number) => pid,
  });
  return {
    verbs: makeChildHost(choose, { guard }),
    [Symbol.dispose]: () => guard?.close(),
  };
}

Deno.test("signal and kill find it right that a child is gone already", async () => {
  await using tree = await tempTree({ "root/": "", "data/": "" });
  using host = makeHost(tree);
  const { verbs } = host;
  await verbs.signal(1, "TERM");
  await verbs.kill(1);
});

Deno.test("what was there before the server's own program cleaned the home is not suspect", async () => {
  await using tree = await tempTree({
    "root/.envrc": "the operator's",
    "root/.git/hooks/pre-commit": "exit 0",
    "data/": "",
  });
  using host = makeHost(tree);
  const { verbs } = host;
  const request = { args: [], cwd: "/", env: {}, stdin: "null", mark: "m" } as const;
  for (const program of [HOME_CLEANER, "cat", HOME_CLEANER]) {
    const { id } = await verbs.spawn({ ...request, program });
    const ended = verbs.wait(id);
    for (const stream of ["stdout", "stderr"] as const) assert.equal(await verbs.read(id, stream), null);
    const { suspects } = await ended;
    assert.deepEqual(suspects, [], program);
  }
});
