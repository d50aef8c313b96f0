import { loadConfig } from "../../src/config/load.ts";
import { resolveConfig } from "../../src/config/resolve.ts";
import { makeChildHost } from "../../src/sandbox/child_host.ts";
import { placeCanary } from "../../src/sandbox/prepare_host.ts";
import { thisMachine } from "../../src/sys/machine.ts";
import { tempTree } from "../support/temp_tree.ts";

Deno.test("signal and kill find it right that a child is gone already", async () => {
  await using tree = await tempTree({ "root/": "", "data/": "" });
  const values = { "mcp.data_dir": tree.path("data") };
  const machine = { ...thisMachine(), env: {}, homeDir: tree.root, workingDir: tree.root };
  const config = resolveConfig(loadConfig({ overrides: { values, roots: [tree.path("root")] } }, machine), machine);
  const verbs = makeChildHost(() => ({
    isHeld: true,
    host: {
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
    },
    confinement: "none",
    start: () => new Deno.Command("true").spawn(),
    payloadLeader: (pid) => pid,
  }));
  await verbs.signal(1, "TERM");
  await verbs.kill(1);
});
